import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

test('no script imports a test or what tests are made of', async () => {
  const entries = await readdir(join(ROOT, 'scripts'), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && /\.(mjs|cjs|mts)$/.test(entry.name));
  expect(files.length).toBeGreaterThan(0);
  const offences: string[] = [];
  for (const { parentPath, name } of files) {
    const file = join(parentPath, name);
    const text = await readFile(file, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import)\b[\s(]*'(\.[^']+)'/g)) {
      const target = relative(ROOT, resolve(parentPath, specifier));
      if (target.startsWith('test/')) offences.push(`${relative(ROOT, file)} -> ${specifier}`);
    }
  }
  expect(offences).toEqual([]);
});
