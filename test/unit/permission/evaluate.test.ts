import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Action,
  hashAction,
  type PatchedFile,
  type Target,
} from '../../../extension/core/permission/action.ts';
import { evaluate, type Standing } from '../../../extension/core/permission/evaluate.ts';
import { riskOf } from '../../../extension/core/permission/risk.ts';
import { scopeOf } from '../../../extension/core/permission/scope.ts';
import { ABSENT } from '../../../extension/core/ports/workspace.ts';

const ROOTS = ['/repo'];
const STANDING: Standing = {
  mode: 'ask',
  trusted: true,
  policies: [],
  granted: new Set(),
  home: '/home/u/.harness',
};

const at = (path: string): Target => ({
  path,
  given: path,
  inWorkspace: path === '/repo' || path.startsWith('/repo/'),
});
const read = (path: string): Action => ({ kind: 'read', tool: 'read', targets: [at(path)] });
const write = (path: string, unsaved = false): Action => ({
  kind: 'write',
  tool: 'write',
  targets: [at(path)],
  before: 'a',
  after: 'b',
  added: 1,
  removed: 0,
  unsaved,
});
const move = (from: string, to: string): Action => ({
  kind: 'move',
  tool: 'move',
  targets: [at(from), at(to)],
  overwrites: false,
});
const patch = (...files: readonly PatchedFile[]): Action => ({
  kind: 'patch',
  tool: 'apply_patch',
  targets: files.map(({ path }) => at(path)),
  files,
  added: 1,
  removed: 1,
  unsaved: false,
});
const updated = (path: string): PatchedFile => ({ path, before: 'a', after: 'b' });
const deleted = (path: string): PatchedFile => ({ path, before: 'a', after: ABSENT });
const movedFrom = (from: string, path: string): PatchedFile => ({ path, before: ABSENT, after: 'a', from });
const run = (command: string, cwd = '/repo'): Action => ({
  kind: 'run',
  tool: 'bash',
  targets: [],
  command,
  cwd,
});

const decide = (action: Action, standing: Partial<Standing> = {}) =>
  evaluate(action, scopeOf(action, ROOTS), { ...STANDING, ...standing }).decision;

test.each<[string, Action, Record<Standing['mode'], string>]>([
  ['a read inside', read('/repo/a'), { ask: 'allow', acceptEdits: 'allow', plan: 'allow', bypass: 'allow' }],
  ['a read outside', read('/etc/passwd'), { ask: 'ask', acceptEdits: 'ask', plan: 'ask', bypass: 'allow' }],
  ['an edit inside', write('/repo/a'), { ask: 'ask', acceptEdits: 'allow', plan: 'deny', bypass: 'allow' }],
  [
    'an edit over unsaved changes',
    write('/repo/a', true),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  ['an edit outside', write('/etc/hosts'), { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' }],
  [
    'an edit beside a root of the same beginning',
    write('/repo-evil/a'),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  [
    'an edit of a file that steers tools',
    write('/repo/.vscode/settings.json'),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a move inside',
    move('/repo/a', '/repo/b'),
    { ask: 'ask', acceptEdits: 'allow', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a move into .git',
    move('/repo/a', '/repo/.git/hooks/pre-commit'),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a patch inside',
    patch(updated('/repo/a'), { ...updated('/repo/b'), before: ABSENT }),
    { ask: 'ask', acceptEdits: 'allow', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a patch that moves',
    patch(deleted('/repo/a'), movedFrom('/repo/a', '/repo/b')),
    { ask: 'ask', acceptEdits: 'allow', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a patch that deletes',
    patch(updated('/repo/a'), deleted('/repo/b')),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a patch with a file that steers tools',
    patch(updated('/repo/a'), updated('/repo/package.json')),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  [
    'a patch with an unsaved file',
    { ...patch(updated('/repo/a')), unsaved: true } as Action,
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' },
  ],
  [
    'what touches nothing',
    { kind: 'read', tool: 'update_plan', targets: [] },
    { ask: 'allow', acceptEdits: 'allow', plan: 'allow', bypass: 'allow' },
  ],
  ['a command', run('npm test'), { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'allow' }],
  [
    "an edit of Harness's own files",
    write('/home/u/.harness/policies.json'),
    { ask: 'ask', acceptEdits: 'ask', plan: 'deny', bypass: 'ask' },
  ],
])('%s, by mode', (_name, action, wanted) => {
  for (const [mode, decision] of Object.entries(wanted))
    expect(decide(action, { mode: mode as Standing['mode'] }), mode).toBe(decision);
});

test('nothing at all is allowed in an untrusted workspace', () => {
  for (const action of [read('/repo/a'), write('/repo/a'), move('/repo/a', '/repo/b'), run('ls')]) {
    for (const mode of ['ask', 'acceptEdits', 'plan', 'bypass'] as const) {
      expect(
        decide(action, { mode, trusted: false, granted: new Set([scopeOf(action, ROOTS)?.key ?? '']) }),
      ).toBe('deny');
    }
  }
});

test.each([
  '.git/config',
  '.GIT/hooks/x',
  'sub/.vscode/tasks.json',
  'package.json',
  'AGENTS.md',
  'AGENTS.override.md',
  '.env',
  '.env.local',
  'x.code-workspace',
  '.npmrc',
  '.git./config',
])('a change of %s is high, and no remembered answer covers it', (name) => {
  const action = write(`/repo/${name}`);
  expect(riskOf(action)).toBe('high');
  expect(scopeOf(action, ROOTS)).toBeUndefined();
});

test('a remembered edit covers patches that edit, and none that moves or deletes', () => {
  const granted = new Set([scopeOf(write('/repo/a'), ROOTS)?.key ?? '']);
  expect(decide(patch(updated('/repo/a'), updated('/repo/b')), { granted })).toBe('allow');
  const removing = patch(updated('/repo/a'), deleted('/repo/b'));
  expect(decide(removing, { granted })).toBe('ask');
  expect(decide(patch(deleted('/repo/a'), movedFrom('/repo/a', '/repo/b')), { granted })).toBe('ask');
  expect(decide(removing, { granted: new Set([scopeOf(removing, ROOTS)?.key ?? '']) })).toBe('allow');
});

test('a remembered command covers itself in its folder and nothing else', () => {
  const granted = new Set([scopeOf(run('npm test'), ROOTS)?.key ?? '']);
  expect(decide(run('npm test'), { granted })).toBe('allow');
  for (const other of [
    'npm test; rm -rf /',
    'npm test ',
    'npm  test',
    'npm test\nrm x',
    'npm tes',
    'NPM test',
  ]) {
    expect(decide(run(other), { granted }), other).toBe('ask');
  }
  expect(decide(run('npm test', '/repo/sub'), { granted })).toBe('ask');
});

test('a refusal wins over every allowance', () => {
  const key = scopeOf(run('npm test'), ROOTS)?.key ?? '';
  const policies = [
    { decision: 'allow', scope: key, created: 1 },
    { decision: 'deny', scope: key, created: 2 },
  ] as const;
  for (const mode of ['ask', 'acceptEdits', 'bypass'] as const) {
    expect(decide(run('npm test'), { mode, policies, granted: new Set([key]) })).toBe('deny');
  }
});

test('more rules that allow never turn a refusal into an allowance', () => {
  const actions = [write('/repo/a'), run('ls'), run('rm x'), move('/repo/a', '/repo/b'), read('/etc/passwd')];
  const keys = actions.map((action) => scopeOf(action, ROOTS)?.key ?? '');
  fc.assert(
    fc.property(
      fc.constantFrom(...actions),
      fc.constantFrom('ask', 'acceptEdits', 'plan', 'bypass'),
      fc.subarray(keys),
      fc.subarray(keys),
      fc.subarray(keys),
      (action, mode, denied, few, more) => {
        const policies = (allowed: readonly string[]) => [
          ...denied.map((scope) => ({ decision: 'deny', scope, created: 0 }) as const),
          ...allowed.map((scope) => ({ decision: 'allow', scope, created: 0 }) as const),
        ];
        const before = decide(action, { mode, policies: policies(few) });
        const after = decide(action, { mode, policies: policies([...few, ...more]), granted: new Set(more) });
        if (before === 'deny') expect(after).toBe('deny');
      },
    ),
  );
});

test('an action’s hash does not depend on the order of its fields, and on everything else', () => {
  const action = write('/repo/a');
  expect(hashAction(Object.fromEntries(Object.entries(action).reverse()) as Action)).toBe(hashAction(action));
  for (const other of [
    write('/repo/b'),
    { ...action, after: 'c' },
    { ...action, before: 'c' },
    write('/repo/a', true),
  ]) {
    expect(hashAction(other)).not.toBe(hashAction(action));
  }
});

test('where the policies cannot be read, nothing but a harmless read passes unasked', () => {
  for (const mode of ['ask', 'acceptEdits', 'bypass'] as const) {
    expect(decide(write('/repo/a'), { mode, policies: undefined })).toBe('ask');
    expect(decide(run('ls'), { mode, policies: undefined })).toBe('ask');
    expect(decide(read('/repo/a'), { mode, policies: undefined })).toBe('allow');
  }
});

test('a remembered listing does not cover a search of everything below', () => {
  const listing: Action = { ...read('/etc'), tool: 'list_dir' } as Action;
  const granted = new Set([scopeOf(listing, ROOTS)?.key ?? '']);
  expect(decide(listing, { granted })).toBe('allow');
  expect(decide({ ...read('/etc'), tool: 'grep', recursive: true } as Action, { granted })).toBe('ask');
});
