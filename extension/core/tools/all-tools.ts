import { bash } from './bash.ts';
import { edit } from './edit.ts';
import { grep } from './grep.ts';
import { listDir } from './list-dir.ts';
import { move } from './move.ts';
import { read } from './read.ts';
import type { Tool } from './tool.ts';
import { write } from './write.ts';

/** The seven, in the order in which a model is told of them. */
export const allTools: readonly Tool[] = [read, listDir, grep, bash, write, edit, move];
