import { lstat, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { versionOf } from '../../../../extension/core/base/content-hash.ts';
import { BlobFiles } from '../../../../extension/node/blobs/blob-files.ts';
import { applyByteDelta, createByteDelta } from '../../../../extension/node/blobs/byte-delta.ts';
import { noiseOf } from '../../../support/random-from.ts';
import { tempDir } from '../../../support/temp-dir.ts';

const bytesOf = (text: string) => Buffer.from(text);

test('bytes come back under their hash, also for a later process, and nobody else may read them', async () => {
  const folder = join(await tempDir(), 'blobs');
  const hash = await new BlobFiles(folder).put(bytesOf('one'));
  expect(hash).toBe(versionOf(bytesOf('one')));
  const later = new BlobFiles(folder);
  expect(await later.has(hash)).toBe(true);
  expect(Buffer.from(await later.get(hash)).toString()).toBe('one');
  expect((await stat(join(folder, hash))).mode & 0o777).toBe(0o600);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect(await readdir(folder)).toEqual([hash]);
});

test('there may be nothing in a file', async () => {
  const blobs = new BlobFiles(await tempDir());
  expect((await blobs.get(await blobs.put(new Uint8Array()))).length).toBe(0);
});

test('of 1,000 edits of a file of random bytes all are kept, in at most 20 MB', async () => {
  const folder = await tempDir();
  const blobs = new BlobFiles(folder);
  const file = noiseOf(1_000_000);
  const hashes = [await blobs.put(file)];
  for (let edit = 0; edit < 1_000; edit += 1) {
    noiseOf(200, edit).copy(file, (edit * 7_919) % 999_000);
    hashes.push(await blobs.put(file, hashes.at(-1)));
  }
  const sizes = await Promise.all((await readdir(folder)).map((name) => stat(join(folder, name))));
  expect(sizes.length).toBe(1_001);
  expect(sizes.reduce((sum, { blocks }) => sum + blocks * 512, 0)).toBeLessThan(20_000_000);
  const later = new BlobFiles(folder);
  for (const hash of hashes.filter((_, index) => index % 97 === 0))
    expect(versionOf(await later.get(hash))).toBe(hash);
  expect(versionOf(await later.get(hashes.at(-1) ?? ''))).toBe(versionOf(file));
}, 60_000);

test('what is damaged is not handed out, and is mended when the bytes come again', async () => {
  const folder = await tempDir();
  const first = new BlobFiles(folder);
  const long = noiseOf(100_000);
  const old = await first.put(long);
  const next = Buffer.concat([long, bytesOf('!')]);
  const hash = await first.put(next, old);
  const path = join(folder, old);
  const kept = await readFile(path);
  kept[500] = (kept[500] ?? 0) ^ 1;
  await writeFile(path, kept);
  const later = new BlobFiles(folder);
  await expect(later.get(old)).rejects.toThrow('is damaged');
  await expect(later.get(hash)).rejects.toThrow('is damaged');
  await later.put(long, hash);
  expect(versionOf(await new BlobFiles(folder).get(old))).toBe(old);
  expect(versionOf(await new BlobFiles(folder).get(hash))).toBe(hash);
});

test.each([0, 1, 40, 99_999])('a file that was cut to %i bytes is damaged', async (length) => {
  const folder = await tempDir();
  const hash = await new BlobFiles(folder).put(noiseOf(100_000));
  await writeFile(join(folder, hash), (await readFile(join(folder, hash))).subarray(0, length));
  await expect(new BlobFiles(folder).get(hash)).rejects.toThrow('is damaged');
});

test('what was removed is said to be gone, and is written whole when it comes again', async () => {
  const folder = await tempDir();
  const blobs = new BlobFiles(folder);
  const long = noiseOf(50_000);
  const old = await blobs.put(long);
  await rm(join(folder, old));
  await expect(new BlobFiles(folder).get(old)).rejects.toThrow('no longer exists');
  const hash = await blobs.put(Buffer.concat([long, long]), old);
  await blobs.put(long, hash);
  const later = new BlobFiles(folder);
  expect(versionOf(await later.get(hash))).toBe(hash);
  expect(versionOf(await later.get(old))).toBe(old);
});

test('a name that is no hash reads nothing', async () => {
  const folder = await tempDir();
  await mkdir(join(folder, 'blobs'));
  await writeFile(join(folder, 'secret'), 'x');
  await expect(new BlobFiles(join(folder, 'blobs')).get('../secret')).rejects.toThrow();
});

test('another store takes over what it names, with what that is a delta beside', async () => {
  const [from, to] = [await tempDir(), join(await tempDir(), 'blobs')];
  const blobs = new BlobFiles(from);
  const long = noiseOf(50_000);
  const [old, other] = [await blobs.put(long), await blobs.put(bytesOf('other'))];
  const hash = await blobs.put(Buffer.concat([long, bytesOf('!')]), old);
  const taken = new BlobFiles(to);
  await taken.adopt([hash, versionOf(bytesOf('never kept'))], from);
  await rm(from, { recursive: true });
  expect(versionOf(await taken.get(hash))).toBe(hash);
  expect(await taken.has(other)).toBe(false);
  expect((await lstat(join(to, hash))).mode & 0o777).toBe(0o600);
});

test('a delta gives back any target, and takes little room where much is the same', () => {
  const bytes = fc.uint8Array({ maxLength: 400 });
  const arranged = fc.array(fc.nat({ max: 5 }), { maxLength: 30 });
  fc.assert(
    fc.property(fc.array(bytes, { minLength: 6, maxLength: 6 }), arranged, arranged, (parts, one, other) => {
      const join = (order: readonly number[]) =>
        Buffer.concat(order.map((index) => parts[index] ?? bytesOf('none')));
      const [base, target] = [join(one), join(other)];
      expect(applyByteDelta(base, createByteDelta(base, target)).equals(target)).toBe(true);
    }),
  );
  const long = noiseOf(200_000);
  const moved = Buffer.concat([long.subarray(90_000), bytesOf('between'), long.subarray(0, 90_000)]);
  expect(createByteDelta(long, moved).length).toBeLessThan(100);
});

test('a delta of very many small differences is made too', () => {
  const text = (first: string) =>
    Array.from(
      { length: 70_000 },
      (_, row) => `${first},${row},${row * 7}, a field of some length, and another one\n`,
    ).join('');
  const [base, target] = [bytesOf(text('foo')), bytesOf(text('barr'))];
  expect(applyByteDelta(base, createByteDelta(base, target)).equals(target)).toBe(true);
});
