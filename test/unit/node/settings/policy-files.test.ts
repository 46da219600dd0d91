import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Policy } from '../../../../extension/core/ports/policy-store.ts';
import { JsonPolicyStore } from '../../../../extension/node/settings/policy-files.ts';
import { craftedLock, NOBODY } from '../../../support/crafted-lock.ts';
import { tempDir } from '../../../support/temp-dir.ts';

async function newStore() {
  const folder = await tempDir();
  const path = join(folder, 'policies.json');
  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  return { folder, path, warnings, store: new JsonPolicyStore(path, { warn, error: warn }) };
}

const policy = (scope: string): Policy => ({ decision: 'allow', scope, created: 1 });

async function scopesIn(path: string): Promise<string[]> {
  const { policies } = JSON.parse(await readFile(path, 'utf8')) as { policies: readonly Policy[] };
  return policies.map(({ scope }) => scope).sort();
}

test('an answer is remembered, the newest of its scope', async () => {
  const { folder, store } = await newStore();
  expect(await store.load('a')).toEqual([]);
  await store.add(policy('a'));
  await store.add({ ...policy('a'), decision: 'deny' });
  await store.add(policy('b'));
  expect(await store.load('a')).toEqual([{ ...policy('a'), decision: 'deny' }]);
  expect(await store.load(undefined)).toEqual([]);
  expect(await readdir(folder)).toEqual(['policies.json']);
});

test('windows that remember at the same time lose nothing', async () => {
  const { folder, path, store } = await newStore();
  const windows = ['one', 'two', 'three'];
  const children = windows.map((name) =>
    fork(join(import.meta.dirname, '../../../support/add-policies.ts'), [path, name, '20'], {
      execArgv: ['--experimental-transform-types', '--no-warnings'],
    }),
  );
  const here = Array.from({ length: 5 }, (_, index) => store.add(policy(`here ${index}`)));
  const exits = await Promise.all(children.map((child) => once(child, 'exit')));
  await Promise.all(here);
  expect(exits.map(([code]) => code)).toEqual([0, 0, 0]);
  const all = windows.flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name} ${index}`));
  const own = here.map((_, index) => `here ${index}`);
  expect(await scopesIn(path)).toEqual([...all, ...own].sort());
  expect(await readdir(folder)).toEqual(['policies.json']);
});

test('a window that died while it remembered keeps nobody from it', async () => {
  const { path, store } = await newStore();
  await writeFile(`${path}.lock`, await craftedLock({ pid: NOBODY }));
  await store.add(policy('a'));
  expect(await scopesIn(path)).toEqual(['a']);
});

test('a file with a slip in it is told, and kept beside the new one', async () => {
  const { folder, path, store, warnings } = await newStore();
  await writeFile(path, '{"version": 1, "policies": [}');
  expect(await store.load('a')).toBeUndefined();
  expect(warnings).toHaveLength(1);
  await store.add(policy('a'));
  expect(await scopesIn(path)).toEqual(['a']);
  const aside = (await readdir(folder)).find((name) => name.includes('damaged'));
  expect(await readFile(join(folder, aside ?? ''), 'utf8')).toBe('{"version": 1, "policies": [}');
});
