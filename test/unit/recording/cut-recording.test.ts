import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayRecording } from '../../../extension/node/replay-recording.ts';
import { tempDir } from '../../support/temp-dir.ts';

const recordings = join(import.meta.dirname, '../../fixtures/recordings');

/** Header, settings, opening, and the beginning of its log. */
const FIRST_END = 4;

test.each(['anthropic', 'chat', 'codex', 'lmstudio', 'ollama'])(
  'a recording may end behind any of its entries, and plays equal up to there: %s',
  async (provider) => {
    const lines = (await readFile(join(recordings, `${provider}.jsonl`), 'utf8')).trimEnd().split('\n');
    const file = join(await tempDir(), 'cut.jsonl');
    const differing: string[] = [];
    for (let end = FIRST_END; end <= lines.length; end += 1) {
      await writeFile(file, `${lines.slice(0, end).join('\n')}\n`);
      const replay = await replayRecording(file);
      if (!replay.equal) differing.push(`${end}: ${replay.divergence.message}`);
    }
    expect(differing).toEqual([]);
  },
);
