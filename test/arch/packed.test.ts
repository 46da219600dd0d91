// What is built is packed: a module that the product loads late and that is not there is noticed by nobody before.
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (file: string) => readFile(join(ROOT, file), 'utf8');

test('every output that the host loads late is in the package', async () => {
  const [, late = ''] =
    /const lazyOutputs = new Map\(\[([\s\S]*?)\]\);/.exec(await read('esbuild.mjs')) ?? [];
  const files = [...late.matchAll(/'extension\/.*', '\.\/([\w-]+\.c?js)'/g)].map(
    ([, file]) => `!dist/${file}`,
  );
  expect(files.length).toBeGreaterThan(5);
  const packed = (await read('.vscodeignore')).split('\n');
  expect(files.filter((file) => !packed.includes(file))).toEqual([]);
});
