import { applyPatch } from './apply-patch.ts';
import { bash } from './bash.ts';
import { edit } from './edit.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { move } from './move.ts';
import { read } from './read.ts';
import type { Tool } from './tool.ts';
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
