import type { ToolName } from '../../protocol/tool-names.ts';
import { askUser } from './ask-user.ts';
import { bash } from './bash.ts';
import type { Tool } from './common/tool.ts';
import { edit } from './edit/edit.ts';
import { grep } from './grep/grep.ts';
import { listDir } from './list-dir.ts';
import { move } from './move.ts';
import { applyPatch } from './patch/apply-patch.ts';
import { read } from './read/read.ts';
import { updatePlan } from './update-plan.ts';
import { write } from './write.ts';

const tools: { readonly [Name in ToolName]: Tool & { readonly name: Name } } = {
  read,
  list_dir: listDir,
  grep,
  bash,
  write,
  edit,
  move,
  apply_patch: applyPatch,
  update_plan: updatePlan,
  ask_user: askUser,
};

/** In the order in which a model gets them. */
export const allTools: readonly Tool[] = Object.values(tools);
