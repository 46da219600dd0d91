import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { test } from 'vitest';
import { isRoot, NOBODY } from '../../support/nobody.ts';
import { properties } from './undo-properties.ts';

const MAIN = fileURLToPath(new URL('./undo.main.ts', import.meta.url));

test.each(Object.entries(properties))('%s', (_, property) => property(), 120_000);

// Modes keep root from nothing.
test.runIf(isRoot).each(Object.keys(properties))('as an ordinary user: %s', async (name) => {
  const node = ['--experimental-transform-types', '--no-warnings', MAIN, name];
  await promisify(execFile)(process.execPath, node, { cwd: '/', uid: NOBODY, gid: NOBODY });
});
