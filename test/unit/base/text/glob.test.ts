import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileGlob, GlobError } from '../../../../extension/core/base/text/glob.ts';
import { ripgrepPath } from '../../../support/ripgrep.ts';
import { tempDir } from '../../../support/temp-dir.ts';

it.each([
  ['*.ts', 'src/deep/a.ts', true],
  ['*.ts', 'a.tsx', false],
  ['/*.ts', 'src/a.ts', false],
  ['./*.ts', 'a.ts', true],
  ['src/*', 'src/a.ts', true],
  ['src/*', 'src/sub/a.ts', false],
  ['src/**/*.{ts,tsx}', 'src/a.tsx', true],
  ['src/**/*.{ts,tsx}', 'src/a/b/c.ts', true],
  ['src', 'lib/src/a/b.ts', true],
  ['src/', 'src/a', true],
  ['**/test/**', 'a/test/b', true],
  ['a?c', 'a/abc', true],
  ['[!a-c]x', 'dx', true],
  ['[!a-c]x', 'bx', false],
  ['[]]', ']', true],
  ['!*.test.ts', 'a.ts', true],
  ['!*.test.ts', 'src/a.test.ts', false],
  ['{a,{b,c}}/x', 'c/x', true],
  ['\\*', '*', true],
  ['\\*', 'a', false],
  ['é😀?', 'é😀x', true],
])('%s and %s: %s', (glob, path, expected) => {
  expect(compileGlob(glob)(path)).toBe(expected);
});

it.each(['', '[a', '{a,b', '../x', 'a\0', '{a,b}'.repeat(9)])('refuses %j', (glob) => {
  expect(() => compileGlob(glob)).toThrow(GlobError);
});

it('takes steps in proportion to pattern and path, whatever the stars', () => {
  const steps = { count: 0 };
  const name = new Proxy(Array.from('a'.repeat(250)), {
    get: (target, key, receiver) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) steps.count += 1;
      return Reflect.get(target, key, receiver);
    },
  });
  const path = { split: () => ({ map: () => [name] }) } as unknown as string;
  expect(compileGlob(`${'*a'.repeat(30)}*b`)(path)).toBe(false);
  expect(steps.count).toBeLessThan(250 * 61 * 2);
});

const names = ['a', 'b.ts', 'ab', 'c.test.ts', '-x'];
const part = fc.constantFrom('*', '**', 'a', '*.ts', '?b', '[ab]*', '{a,c}*', '*b*', '-*');

it('matches what ripgrep matches', async () => {
  const folder = await tempDir();
  const paths = [...names, ...names.flatMap((name) => ['a', 'ab'].map((up) => `d/${up}/${name}`))];
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), '');
  }
  const patterns = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
  fc.assert(
    fc.property(patterns, (glob) => {
      // The files of a folder that is named belong to it here; ripgrep needs `/**` for that.
      fc.pre(!/(?:^|\/)a$/.test(glob));
      const found = paths.filter(compileGlob(glob)).sort();
      expect(found, glob).toEqual(filesOfRipgrep(folder, glob));
    }),
    { numRuns: 60, seed: 7 },
  );
});

function filesOfRipgrep(folder: string, glob: string): string[] {
  try {
    const output = execFileSync(ripgrepPath, ['--files', `--glob=${glob}`], {
      cwd: folder,
      encoding: 'utf8',
    });
    return output.split('\n').filter(Boolean).sort();
  } catch {
    return []; // exit code 1: no file
  }
}
