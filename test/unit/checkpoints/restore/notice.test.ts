import { expect, test } from 'vitest';
import { restoreNotice } from '../../../../extension/core/checkpoints/restore/notice.ts';
import { resolveTarget } from '../../../../extension/core/tools/common/resolve-path.ts';
import { NodeWorkspace } from '../../../../extension/node/workspace.ts';

const ROOTS = [{ name: 'work', path: '/repo' }];
const failed = { path: '/repo/a', outcome: 'failed', reason: 'the disk is full' } as const;
const kept = { path: '/repo/b', outcome: 'kept', reason: 'it has changed since' } as const;
const identical = { path: '/repo/c', outcome: 'identical' } as const;
const merged = { path: '/repo/d', outcome: 'merged' } as const;

test('the model is told of the files that were put back, and of no other', () => {
  const notice = restoreNotice([failed, kept, identical, merged], ROOTS, []);
  expect(notice?.toModel).toMatch(/session: c, d\. Read them again/);
});

test('where no file was put back, the reader alone is told', () => {
  const notice = restoreNotice([failed, kept], ROOTS, []);
  expect(notice?.message).toMatch(/a was not restored: the disk is full\.\nb was skipped/);
  expect(notice).not.toHaveProperty('toModel');
});

test('of very many files that were not put back the first ones are told, and how many there are besides', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => ({ ...kept, path: `/repo/${index}` }));
  const lines = restoreNotice([identical, ...many], ROOTS, [])?.message.split('\n');
  expect(lines).toHaveLength(52);
  expect(lines?.at(-1)).toBe('And 19950 more.');
});

test('folders are told apart from files', () => {
  const folder = { path: '/repo/d', outcome: 'identical', folder: true } as const;
  const { message, toModel } = restoreNotice([identical, folder, merged], ROOTS, []) ?? {};
  expect(message).toMatch(/^1 file identical to checkpoint: c\.\n1 folder identical to checkpoint: d\.\n/);
  expect(toModel).toContain('session: c, d/, d.');
  expect(restoreNotice([folder], ROOTS, [])?.message).toBe('1 folder identical to checkpoint: d.');
});

test.each([
  { names: ['api', 'web'], told: ['api/src/a.ts', 'web/src/a.ts'] },
  { names: ['app', 'app'], told: ['app/src/a.ts', '/w/web/src/a.ts'] },
  { names: ['The / API', 'web'], told: ['/w/api/src/a.ts', 'web/src/a.ts'] },
])('of folders with the names $names each file is named as the tools take it', async ({ names, told }) => {
  const roots = ['/w/api', '/w/web'].map((path, index) => ({ path, name: names[index] ?? '' }));
  const paths = roots.map(({ path }) => `${path}/src/a.ts`);
  const files = paths.map((path) => ({ path, outcome: 'identical' as const }));
  expect(restoreNotice(files, roots, [])?.toModel).toContain(`session: ${told.join(', ')}. Read`);
  const workspace = new NodeWorkspace(roots, () => Promise.reject(new Error('nothing to search for')));
  for (const [index, name] of told.entries())
    expect((await resolveTarget(workspace, name)).path).toBe(paths[index]);
});
