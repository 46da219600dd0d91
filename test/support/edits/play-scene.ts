// Plays a scene through the real `read` and `edit`, and judges what became of the file.
import { readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../../../extension/core/base/tool-error.ts';
import { edit } from '../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../extension/core/tools/read/read.ts';
import { bench, diskWorkspace } from '../../unit/tools/call-tool.ts';
import type { Lines, Scene } from './scenes.ts';

/** `elsewhere`: refused with an error that does not name the place. */
export type Outcome = 'right' | 'refused' | 'elsewhere' | 'wrong';

export interface Played {
  readonly outcome: Outcome;
  /** The error, or the text of the file. */
  readonly text: string;
}

/** Plays the scene on a file of this path. */
export async function playScene(path: string, scene: Scene): Promise<Played> {
  await writeFile(path, scene.file);
  const tools = bench(diskWorkspace(dirname(path)));
  for (let start_line = 1, isCut = true; isCut; ) {
    const { text } = await tools.call(read, { path, start_line });
    const next = /; read on with start_line: (\d+)$/.exec(text)?.[1];
    isCut = next !== undefined;
    start_line = Number(next);
  }
  for (const { input, place } of scene.calls) {
    const before = await readFile(path, 'utf8');
    try {
      await tools.callInReply(edit, { path, ...input });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const isUntouched = (await readFile(path, 'utf8')) === before;
      return { outcome: isUntouched ? refusal(error.message, place) : 'wrong', text: error.message };
    }
  }
  const text = await readFile(path, 'utf8');
  return { outcome: scene.isRight?.(text) ? 'right' : 'wrong', text };
}

/** Whether the error shows a line of the place, or lists its number. */
function refusal(message: string, { first, last }: Lines): Outcome {
  const shown = [...message.matchAll(/^\s*(\d+)→/gm)].map(([, number]) => Number(number));
  const listed = /at lines ([\d, ]+)/.exec(message)?.[1]?.split(', ').map(Number) ?? [];
  const isNamed = [...shown, ...listed].some((line) => line >= first && line <= last);
  return isNamed ? 'refused' : 'elsewhere';
}
