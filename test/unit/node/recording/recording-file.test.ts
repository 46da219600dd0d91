import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RecordingFile } from '../../../../extension/node/recording/recording-file.ts';
import { watchFiles } from '../../../support/files.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const logger = { warn: () => expect.unreachable('it is written') };
const LINE = 'x'.repeat(100_000);

async function recording() {
  const folder = await tempDir();
  const path = join(folder, 'recording.jsonl');
  const operations: string[] = [];
  onTestFinished(
    watchFiles(folder, ({ name }, perform) => {
      operations.push(name);
      return perform();
    }),
  );
  const file = new RecordingFile({ path, session: 's', product: 'test', logger });
  const lines = async () => (await readFile(path, 'utf8')).trim().split('\n').length;
  return { path, file, lines, operations };
}

test('nothing waits for the disk to have a recording, however long it is', async () => {
  const { file, lines, operations } = await recording();
  for (let count = 0; count < 30; count += 1) {
    file.log(LINE);
    await file.written();
  }
  await file.close();
  expect(await lines()).toBe(31);
  expect(operations).toContain('handle.write');
  expect(operations.filter((name) => name.includes('sync'))).toEqual([]);
});

test('one that is removed while it is written is there again, with all that was in it', async () => {
  const { path, file, lines } = await recording();
  file.log(LINE);
  await file.written();
  await rm(path);
  file.log(LINE);
  await file.close();
  expect(await lines()).toBe(3);
});
