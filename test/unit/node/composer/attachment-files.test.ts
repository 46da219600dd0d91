import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AttachmentFiles } from '../../../../extension/node/composer/attachment-files.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { MAX_IMAGE_BYTES } from '../../../../extension/protocol/composer-messages.ts';
import { DiskRecord, losePower } from '../../../support/crash/power-loss.ts';
import { GIF, JPEG, PNG, pngOf, WEBP } from '../../../support/images.ts';
import { memoryDir } from '../../../support/memory-dir.ts';
import { randomFrom } from '../../../support/random-from.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test.each([
  ['png', PNG],
  ['jpg', JPEG],
  ['gif', GIF],
  ['webp', WEBP],
])('an image is kept by its content, whatever it is called: %s', async (extension, bytes) => {
  const folder = await tempDir();
  const files = new AttachmentFiles(folder);
  const name = await files.keep(bytes, 'picture.bmp');
  expect(name).toMatch(new RegExp(`^attachments/[0-9a-f]{64}\\.${extension}$`));
  expect(await files.keep(bytes, 'again')).toBe(name);
  expect(await readdir(join(folder, 'attachments'))).toHaveLength(1);
  expect(await files.read(name)).toBe(Buffer.from(bytes).toString('base64'));
});

test.each([
  ['cut short', PNG.subarray(0, 10)],
  ['empty', Buffer.alloc(0)],
  ['changed', Buffer.from(PNG).fill(1, 20)],
])('a file that is damaged is none, and is written anew: %s', async (_how, bytes) => {
  const folder = await tempDir();
  const files = new AttachmentFiles(folder);
  const name = await files.keep(PNG, 'a.png');
  await writeFile(join(folder, name), bytes);
  expect(await files.read(name)).toBeUndefined();
  expect(await files.describe(name)).toBeUndefined();
  await files.keep(PNG, 'a.png');
  expect(await files.read(name)).toBe(Buffer.from(PNG).toString('base64'));
});

test('what is no image, too large or too wide is refused with a word', async () => {
  const files = new AttachmentFiles(await tempDir());
  await expect(files.keep(Buffer.from('<svg/>'), 'a.png')).rejects.toThrow(
    'a.png is not a PNG, JPEG, GIF or',
  );
  const large = Buffer.concat([PNG, Buffer.alloc(MAX_IMAGE_BYTES)]);
  await expect(files.keep(large, 'large.png')).rejects.toThrow('large.png is larger than 5 MB');
  await expect(files.keep(pngOf(8_001, 1), 'wide.png')).rejects.toThrow('wide.png has 8001 × 1 pixels');
});

test('a missing image is none, and no name leads out of the folder', async () => {
  const folder = await tempDir();
  const files = new AttachmentFiles(join(folder, 'sessions'));
  const name = await files.keep(PNG, 'a.png');
  await rm(join(folder, 'sessions', name));
  expect(await files.read(name)).toBeUndefined();
  await writeFile(join(folder, 'secret.png'), PNG);
  for (const odd of ['../secret.png', 'attachments/../../secret.png', '/etc/passwd', '']) {
    expect(files.path(odd)).toBeUndefined();
    expect(await files.read(odd)).toBeUndefined();
  }
});

test('once its prompt is on the disk an image is not lost with the power, also the first one', async () => {
  const folder = await memoryDir();
  const root = join(folder, 'sessions');
  const disk = new DiskRecord(folder, {}, () => undefined);
  const log = await new JsonlSessionStore(root, systemClock).create({ cwd: '/repo', product: 'test' });
  await log.sync();
  const name = await new AttachmentFiles(root).keep(PNG, 'a.png');
  await log.append([{ type: 'user', content: 'What is this?', attachments: [name] }]);
  await log.sync();
  disk.stop();
  await log.close();
  for (let loss = 1; loss <= 50; loss += 1) {
    await losePower(folder, [folder], disk.steps, randomFrom(loss));
    const kept = await new AttachmentFiles(root).read(name);
    expect(kept, `loss ${loss}`).toBe(Buffer.from(PNG).toString('base64'));
  }
});
