// A fork by the keyboard alone, with the files of then and without.
import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  settings: { 'harness.permissions.mode': 'bypass' },
});

const at = (name: string) => join(workbench.vscode.workspace, name);
const banner = () => panel.find('section[aria-label="Earlier point in time"]');
const title = () => workbench.page.locator('.quick-input-title', { hasText: 'Fork from Here' });
const focusedRow = () => workbench.page.locator('.quick-input-list .monaco-list-row.focused');
const worktrees: string[] = [];

afterAll(async () => {
  for (const folder of worktrees) await rm(folder, { recursive: true, force: true });
});

/** The agent has written `path` twice, and the panel stands before what it said of that. */
async function tellAndGoBack(path: string, prompt: string): Promise<void> {
  const write = (content: string) => call('write', { path, content });
  claude.says(write('one\n'), words('First.'), call('read', { path }), write('two\n'), words('Second.'));
  await panel.ask(prompt);
  await ended(prompt);
  await panel.ask(`${prompt} again`);
  await ended(`${prompt} again`);
  const point = async () => (await banner().allTextContents()).join();
  for (let step = 0; step < 20 && (await panel.saying('user', `${prompt} again`).count()) > 0; step += 1) {
    const before = await point();
    await runCommandByKeys(workbench.page, 'Harness: Step Back in Time');
    await expect.poll(point).not.toBe(before);
  }
  await panel.saying('text', 'First.').waitFor();
}

async function goesOn(prompt: string): Promise<void> {
  claude.forget();
  claude.says(words('Another end.'));
  await panel.ask(prompt);
  await ended(prompt);
  const asked = JSON.stringify(claude.requests.at(-1));
  expect(asked).toContain('First.');
  expect(asked).not.toContain('Second.');
}

test('without a repository there is nothing to choose: the fork goes on from there, and the files stay', async () => {
  await tellAndGoBack('plain.txt', 'Tell it');
  await runCommandByKeys(workbench.page, 'Harness: Fork from Here');
  await banner().waitFor({ state: 'detached' });
  await goesOn('And otherwise?');
  expect(await readFile(at('plain.txt'), 'utf8')).toBe('two\n');
});

test('in a repository a worktree can have the files of then, and is offered in a window of its own', async () => {
  const { page, vscode } = workbench;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: vscode.workspace });
  await writeFile(at('tracked.txt'), 'committed\n');
  git('init', '-q');
  git('add', 'tracked.txt');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'first');

  await tellAndGoBack('forked.txt', 'Fork it');
  await runCommandByKeys(page, 'Harness: Fork from Here');
  await title().waitFor();
  await focusedRow().filter({ hasText: 'Conversation Only' }).waitFor();
  await page.keyboard.press('Escape');
  await title().waitFor({ state: 'hidden' });
  expect(await banner().count(), 'nothing was done').toBe(1);

  await runCommandByKeys(page, 'Harness: Fork from Here');
  await focusedRow().filter({ hasText: 'Conversation Only' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await focusedRow().filter({ hasText: 'With Files from That Point' }).waitFor();
  await page.keyboard.press('Enter');
  const worktree = `${vscode.workspace}-fork`;
  worktrees.push(worktree);
  await page.locator('.notification-toast', { hasText: `The fork is in ${worktree}` }).waitFor();
  expect(await readFile(join(worktree, 'forked.txt'), 'utf8')).toBe('one\n');
  expect(await readFile(join(worktree, 'tracked.txt'), 'utf8')).toBe('committed\n');
  expect(await readFile(at('forked.txt'), 'utf8')).toBe('two\n');
  const opened = page.context().waitForEvent('page');
  await runCommandByKeys(page, 'Notifications: Accept Notification Primary Action');
  const other = await opened;
  await expect.poll(() => decodeURIComponent(other.url())).toContain(basename(worktree));
  await other.close();

  await page.bringToFront();
  await runCommandByKeys(page, 'Harness: Fork from Here');
  await focusedRow().filter({ hasText: 'Conversation Only' }).waitFor();
  await page.keyboard.press('Enter');
  await banner().waitFor({ state: 'detached' });
  await goesOn('And here?');
});
