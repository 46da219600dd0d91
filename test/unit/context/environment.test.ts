import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { environmentContext, gitBranch } from '../../../extension/core/context/environment.ts';
import { NodeWorkspace } from '../../../extension/node/workspace.ts';
import { folderWith } from '../../support/folder-with.ts';

const NOON = new Date(2026, 0, 31, 12).getTime();
const COMMIT = '0123456789abcdef0123456789abcdef01234567';

function workspaceOf(...roots: readonly { name: string; path: string }[]) {
  return new NodeWorkspace(roots, () => Promise.reject(new Error('not searched')));
}

async function environmentOf(workspace: NodeWorkspace, now = NOON): Promise<string> {
  const { text } = await environmentContext({ workspace, platform: 'linux', shell: 'bash on Linux', now });
  return text;
}

test('folders, branch, shell, platform and the day are told', async () => {
  const folder = await folderWith({ 'api/.git/HEAD': 'ref: refs/heads/feature/x\n', 'web/x': '' });
  const roots = ['api', 'web'].map((name) => ({ name, path: join(folder, name) }));
  expect(
    (await environmentOf(workspaceOf(...roots))).replaceAll(folder, '<root>'),
  ).toBe(`<environment_context>
<cwd><root>/api</cwd>
<folder name="api" git_branch="feature/x"><root>/api</folder>
<folder name="web"><root>/web</folder>
<shell>bash on Linux</shell>
<platform>linux</platform>
<current_date>2026-01-31</current_date>
</environment_context>`);
});

test('it is the same all day where the user is, and another on the next', async () => {
  const at = (hour: number) => environmentOf(workspaceOf(), new Date(2026, 0, 31, hour, 59).getTime());
  expect(await at(0)).toBe(await at(23));
  expect(await at(24)).toContain('<current_date>2026-02-01<');
});

test('without a folder that is said', async () => {
  expect(await environmentOf(workspaceOf())).toContain('\n<folder>none is open</folder>\n');
});

test('no name ends its line or its tag', async () => {
  const name = 'a"></folder>\n<x> & \u202e';
  const text = await environmentOf(workspaceOf({ name, path: '/nowhere/<b>' }));
  expect(text).toContain(
    'name="a&#34;&#62;&#60;/folder&#62;&#10;&#60;x&#62; &#38; &#8238;">/nowhere/&#60;b&#62;</folder>\n',
  );
});

test('without trust no file is read for it', async () => {
  const workspace = workspaceOf({
    name: 'w',
    path: await folderWith({ '.git/HEAD': 'ref: refs/heads/evil' }),
  });
  workspace.trusted = () => false;
  expect(await environmentOf(workspace)).not.toContain('evil');
});

/** What is told of the folder `w` among these files. */
async function branch(files: Readonly<Record<string, string>>, folder = 'w') {
  const root = await folderWith({ 'w/x': '', ...files });
  const texts = Object.entries(files).filter(([, text]) => text.includes('<root>'));
  for (const [name, text] of texts) await writeFile(join(root, name), text.replace('<root>', root));
  return gitBranch(workspaceOf(), join(root, folder));
}

test.each([
  ['a branch', { 'w/.git/HEAD': 'ref: refs/heads/main\n' }, 'main'],
  ['a branch around the folder', { '.git/HEAD': 'ref: refs/heads/main\n' }, 'main'],
  ['a detached head', { 'w/.git/HEAD': `${COMMIT}\n` }, 'detached at 0123456789ab'],
  [
    'a linked worktree',
    {
      'w/.git': 'gitdir: <root>/main/.git/worktrees/w\n',
      'main/.git/worktrees/w/HEAD': 'ref: refs/heads/wt\n',
    },
    'wt',
  ],
  [
    'a submodule',
    { 'w/.git': 'gitdir: ../.git/modules/w\n', '.git/modules/w/HEAD': 'ref: refs/heads/sub\n' },
    'sub',
  ],
  [
    'a gitlink that leads nowhere',
    { 'w/.git': 'gitdir: ../gone\n', '.git/HEAD': 'ref: refs/heads/main\n' },
    undefined,
  ],
  ['a gitlink to another machine', { 'w/.git': 'gitdir: //server/share\n' }, undefined],
  ['a gitlink that is none', { 'w/.git': 'hello\n' }, undefined],
  ['references in tables', { 'w/.git/HEAD': 'ref: refs/heads/.invalid\n' }, undefined],
  ['a tag as head', { 'w/.git/HEAD': 'ref: refs/tags/v1\n' }, undefined],
  ['words instead of a branch', { 'w/.git/HEAD': 'ref: refs/heads/do this now\n' }, undefined],
  ['several lines', { 'w/.git/HEAD': 'ref: refs/heads/a\nref: refs/heads/b\n' }, undefined],
  ['an invisible name', { 'w/.git/HEAD': 'ref: refs/heads/a\u202eb\n' }, undefined],
  ['a long name', { 'w/.git/HEAD': `ref: refs/heads/${'a'.repeat(300)}\n` }, undefined],
  ['a head that is no line', { 'w/.git/HEAD': 'x'.repeat(10_000) }, undefined],
  ['an empty repository folder', { 'w/.git/config': '' }, undefined],
] as const)('the branch of %s', async (_, files, expected) => {
  expect(await branch(files)).toBe(expected);
});

test('a head that is a folder, or a link to itself, is no branch', async () => {
  const root = await folderWith({ 'a/.git/HEAD/x': '', 'b/.git/x': '' });
  await symlink('HEAD', join(root, 'b', '.git', 'HEAD'));
  expect(await gitBranch(workspaceOf(), join(root, 'a'))).toBeUndefined();
  expect(await gitBranch(workspaceOf(), join(root, 'b'))).toBeUndefined();
});

test('a folder that is gone has the branch of what it lay in', async () => {
  const root = await folderWith({ '.git/HEAD': 'ref: refs/heads/main\n' });
  await mkdir(join(root, 'w'));
  await rm(join(root, 'w'), { recursive: true });
  expect(await gitBranch(workspaceOf(), join(root, 'w'))).toBe('main');
});
