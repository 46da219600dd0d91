import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PromptHistory } from '../../../../extension/node/composer/prompt-history.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('prompts are kept over restarts, oldest first, each once, at most 100', async () => {
  const path = join(await tempDir(), 'prompt_history');
  const history = new PromptHistory(path);
  expect(await history.load()).toEqual([]);
  for (let n = 1; n <= 102; n++) await history.add(`prompt ${n}`);
  await history.add('prompt 50');
  const entries = await new PromptHistory(path).load();
  expect(entries).toHaveLength(100);
  expect(entries.at(0)).toBe('prompt 3');
  expect(entries.at(-1)).toBe('prompt 50');
  expect(entries.filter((entry) => entry === 'prompt 50')).toHaveLength(1);
});

test('a prompt of several lines is one entry, and a line that somebody wrote by hand counts as it is', async () => {
  const path = join(await tempDir(), 'prompt_history');
  await writeFile(path, 'by hand\n');
  await new PromptHistory(path).add('one\ntwo "quoted"');
  expect(await new PromptHistory(path).load()).toEqual(['by hand', 'one\ntwo "quoted"']);
});

test('a prompt without words is not kept', async () => {
  const history = new PromptHistory(join(await tempDir(), 'prompt_history'));
  await history.add('one');
  expect(await history.add(' \n')).toEqual(['one']);
  expect(await history.load()).toEqual(['one']);
});

test('a history that cannot be read is not written over', async () => {
  const path = join(await tempDir(), 'prompt_history');
  await mkdir(path);
  await expect(new PromptHistory(path).add('new')).rejects.toThrow('EISDIR');
  await expect(readFile(path)).rejects.toThrow('EISDIR');
});
