// A file of 10 MB can have 5 million lines. What is done with a few of them must not make a string of each.
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { edit } from '../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../extension/core/tools/read/read.ts';
import { folderWith } from '../../support/folder-with.ts';
import { bench, diskWorkspace } from './call-tool.ts';

const LINES = 2_000_000;
/** Strings that may be cut out of texts. */
const FEW = 50_000;

const TOO_FAR = /^the changes reach over \d+ lines of .*a\.txt, and 250000 is the limit; nothing was applied/;

/** Counts the strings that are cut out of others from now on. */
function countSlices(): { readonly count: number } {
  const original = String.prototype.slice;
  const slices = { count: 0 };
  String.prototype.slice = function (...range) {
    slices.count += 1;
    return original.apply(this, range);
  };
  onTestFinished(() => {
    String.prototype.slice = original;
  });
  return slices;
}

it('reads and changes a line of a file with millions of lines without a string of each', async () => {
  const folder = await folderWith({ 'a.txt': `twice\n${'x\n'.repeat(LINES - 4)}unique\ntwice\nx` });
  const { call, workspace } = bench(diskWorkspace(folder));
  const slices = countSlices();
  const { text } = await call(read, { path: 'a.txt' });
  expect(text).toMatch(/read on with start_line: \d+$/);
  const at = LINES - 2;
  expect((await call(read, { path: 'a.txt', start_line: at, end_line: at })).text).toBe(`${at}→unique`);
  const operations = [{ op: 'replace', startLine: at, endLine: at, content: ['one', 'two'] }];
  const byLines = await call(edit, { path: 'a.txt', operations });
  expect(byLines.result).toMatchObject({ linesChanged: 2, newLineCount: LINES + 1 });
  const byText = await call(edit, { path: 'a.txt', old_string: 'one\ntwo', new_string: 'three' });
  expect(byText.result).toMatchObject({ linesChanged: 2, newLineCount: LINES });
  const apart = [2, LINES - 1].map((line) => ({ op: 'delete', startLine: line, endLine: line }));
  await expect(call(edit, { path: 'a.txt', operations: apart })).rejects.toThrow(TOO_FAR);
  const twice = { path: 'a.txt', old_string: 'twice', new_string: 'once', replace_all: true };
  await expect(call(edit, twice)).rejects.toThrow(TOO_FAR);
  const missing = call(edit, { path: 'a.txt', old_string: 'not there', new_string: 'three' });
  await expect(missing).rejects.toThrow('old_string is not found');
  expect(slices.count).toBeLessThan(FEW);
  const { bytes } = await workspace.read(join(folder, 'a.txt'), 20_000_000);
  expect(Buffer.from(bytes).subarray(-13).toString()).toBe('three\ntwice\nx');
});
