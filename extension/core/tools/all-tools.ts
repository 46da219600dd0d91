import type { ToolName } from '../../protocol/tool-names.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash/bash.ts';
import { bashOutput, bashStop } from './bash/bash-output.ts';
import { code } from './code/code.ts';
import type { Tool } from './common/tool.ts';
import { edit } from './edit/edit.ts';
import { findFiles } from './find-files.ts';
import { grep } from './grep/grep.ts';
import { listDir } from './list-dir.ts';
import { move } from './move.ts';
import { applyPatch } from './patch/apply-patch.ts';
import { diagnostics } from './problems/diagnostics.ts';
import { read } from './read/read.ts';
import { updatePlan } from './update-plan.ts';
import { write } from './write.ts';

const tools: { readonly [Name in ToolName]: Tool & { readonly name: Name } } = {
  read,
  list_dir: listDir,
  grep,
  find_files: findFiles,
  bash,
  bash_output: bashOutput,
  bash_stop: bashStop,
  write,
  edit,
  move,
  apply_patch: applyPatch,
  diagnostics,
  code,
  update_plan: updatePlan,
  ask_user: askUser,
};

/** In the order in which a model gets them. */
export const allTools: readonly Tool[] = Object.values(tools);
