// The examples of docs/harness.md run, and print what they say.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

const page = await readFile(join(ROOT, 'docs/harness.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => {
  const printed = [...code.matchAll(/^\/\/ (.*)$/gm)].map(([, line]) => line);
  return { imports: code.match(/\w+(?= \} from)/)?.[0] ?? '', code, printed };
});

test('there are examples', () => {
  expect(examples.length).toBeGreaterThan(2);
  for (const { printed } of examples) expect(printed.length).toBeGreaterThan(0);
});

test.each(examples)('the example with $imports', async ({ code, printed }) => {
  const folder = await tempDir();
  const outfile = join(folder, 'example.mjs');
  await build({
    ...{ stdin: { contents: code, resolveDir: ROOT, loader: 'ts' }, absWorkingDir: ROOT, outfile },
    ...{ bundle: true, platform: 'node', format: 'esm', logLevel: 'silent' },
  });
  const env = { ...process.env, TMPDIR: folder };
  const { stdout } = await promisify(execFile)(process.execPath, [outfile], { env });
  expect(stdout.trim().split('\n')).toEqual(printed);
});
