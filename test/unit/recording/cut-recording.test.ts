import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { replayRecording } from '../../../extension/node/recording/read-recording.ts';
import { tempDir } from '../../support/temp-dir.ts';

const recordings = join(import.meta.dirname, '../../fixtures/recordings');

/** Header, settings, opening, and the beginning of its log. */
const FIRST_END = 4;

async function linesOf(provider: string): Promise<readonly string[]> {
  const text = await readFile(join(recordings, `${provider}.jsonl`), 'utf8');
  return text.split('\n').filter((line) => line !== '');
}

/** What differs in recordings of the first lines, by how many there are; `then` comes behind them. */
async function differing(lines: readonly string[], then: readonly string[] = []): Promise<string[]> {
  const file = join(await tempDir(), 'cut.jsonl');
  const told: string[] = [];
  for (let end = FIRST_END; end <= lines.length; end += 1) {
    await writeFile(file, `${[...lines.slice(0, end), ...then].join('\n')}\n`);
    const replay = await replayRecording(file);
    if (!replay.equal) told.push(`${end}: ${replay.divergence.message}`);
  }
  return told;
}

const PROVIDERS = ['anthropic', 'chat', 'codex', 'lmstudio', 'ollama'];

test.each(PROVIDERS)(
  'a recording may end behind any of its entries, and plays equal up to there: %s',
  async (provider) => expect(await differing(await linesOf(provider))).toEqual([]),
);

test.each(PROVIDERS)(
  'so may one that ends as its session is being stopped or closed: %s',
  async (provider) => {
    const lines = await linesOf(provider);
    const closing = lines.findIndex((line) => line.includes('"name":"close"'));
    const done = (name: string) => JSON.stringify({ kind: 'input', id: 1_000, name, given: [], at: 1e6 });
    for (const last of [['close'], ['cancel'], ['cancel', 'close']])
      expect(await differing(lines.slice(0, closing), last.map(done)), last.join()).toEqual([]);
  },
);
