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

/** In the order in which a model is told of them: seven for every model, and those that some know from home. */
export const allTools: readonly Tool[] = [
  read,
  listDir,
  grep,
  bash,
  write,
  edit,
  move,
  applyPatch,
  updatePlan,
];
