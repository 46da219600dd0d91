// The review by keyboard alone, in the packaged extension.
import { access, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const BEFORE = 'one\ntwo\nthree\nfour\nfive\n';
const { claude, workbench, panel, ended } = await useHarness({
  files: { 'notes.txt': BEFORE },
  settings: { 'harness.permissions.mode': 'bypass' },
});

const at = (name: string) => path.join(workbench.vscode.workspace, name);
const notes = () => readFile(at('notes.txt'), 'utf8');
const row = (name: RegExp) => workbench.page.getByRole('treeitem', { name });
const focused = () =>
  workbench.page
    .locator('.pane .monaco-list.element-focused .monaco-list-row.focused')
    .getAttribute('aria-label');

/** Moves in the tree until this row is the one that keys are about. */
async function goTo(name: RegExp): Promise<void> {
  await row(name).waitFor();
  await workbench.page.keyboard.press('Home');
  await expect
    .poll(async () => {
      const there = name.test((await focused()) ?? '');
      if (!there) await workbench.page.keyboard.press('ArrowDown');
      return there;
    })
    .toBe(true);
}

/** Shows the change of the row that keys are about, and leaves the focus there. */
async function choose(name: RegExp): Promise<void> {
  await workbench.page.keyboard.press('Enter');
  await workbench.page.locator('.tab.active').filter({ hasText: name }).waitFor();
  await expect.poll(focused).toMatch(name);
}

async function openTree(first = /^notes\.txt/): Promise<void> {
  const focus = () => runCommandByKeys(workbench.page, 'Harness: Focus on Changes View');
  await focus();
  await row(first).waitFor();
  // An empty tree has nothing to be focused.
  await focus();
}

test('hunks are accepted and rejected in the tree by keys, the focus stays there, and a reload changes nothing', async () => {
  const { page } = workbench;
  claude.says(
    call('read', { path: 'notes.txt' }),
    call('write', { path: 'notes.txt', content: 'ONE\ntwo\nTHREE\nfour\nFIVE\n' }),
    words('Done.'),
  );
  await panel.ask('Shout');
  await ended('Shout');
  await openTree();
  await goTo(/^notes\.txt in .*, 3 lines added, 3 lines removed, not reviewed/);
  await page.keyboard.press('ArrowRight');
  await goTo(/^Line 3: THREE, 1 line added, 1 line removed, run 1, call \d/);
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: 'accepted ↔ now' }).waitFor();
  expect(await focused()).toMatch(/^Line 3/);
  await page.keyboard.press('Control+Alt+n');
  await expect.poll(notes).toBe('ONE\ntwo\nthree\nfour\nFIVE\n');
  await row(/^Line 3/).waitFor({ state: 'detached' });
  await goTo(/^Line 1: ONE/);
  await page.keyboard.press('Enter');
  await page.locator('.statusbar').getByText('Ln 1, Col 1').waitFor();
  await expect.poll(focused).toMatch(/^Line 1/);
  await page.keyboard.press('Control+Alt+y');
  await row(/^Line 1/).waitFor({ state: 'detached' });

  await page.reload();
  await panel.part('user').first().waitFor();
  await openTree();
  await goTo(/^notes\.txt in .*, 1 line added, 1 line removed/);
  await page.keyboard.press('ArrowRight');
  await row(/^Line 5: FIVE/).waitFor();
  claude.says(words('I see.'));
  await panel.ask('What did I reject?');
  await ended('What did I reject?');
  expect(JSON.stringify(claude.requests.at(-1))).toContain('line 3, added by you, is removed: THREE');
  await runCommandByKeys(page, 'Harness: Reject All Changes');
  await expect.poll(notes).toBe('ONE\ntwo\nthree\nfour\nfive\n');
  await page.getByText('Changes by the agent appear here.').waitFor();
});

test('all files stand in one editor, those of a command too; in a file it is decided from the palette, and a move goes back', async () => {
  const { page } = workbench;
  await writeFile(at('tale.txt'), 'once\nupon\na\ntime\n');
  await writeFile(at('old.txt'), 'the same\n');
  claude.says(
    call('read', { path: 'tale.txt' }),
    call('write', { path: 'tale.txt', content: 'ONCE\nupon\na\nTIME\n' }),
    call('bash', { command: 'mv old.txt moved.txt; echo made > made.txt' }),
    words('Told.'),
  );
  await panel.ask('Tell a tale');
  await ended('Tell a tale');
  await runCommandByKeys(page, 'Harness: Review Changes');
  await page.locator('.tab', { hasText: 'Changes by Harness' }).waitFor();
  const files = page.locator('.multiDiffEntry .file-path');
  for (const name of ['made.txt', 'moved.txt', 'tale.txt']) await files.getByText(name).first().waitFor();

  await page.keyboard.press('Control+P');
  await page.keyboard.type('tale.txt');
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'tale.txt' }).waitFor();
  await page.keyboard.press('Enter');
  await page.locator('.tab.active', { hasText: /^tale\.txt/ }).waitFor();
  const hints = page.locator('.codelens-decoration', { hasText: 'run 1, call 2' });
  await expect.poll(() => hints.count()).toBe(2);
  await page.keyboard.press('Control+Home');
  await runCommandByKeys(page, 'Harness: Reject Change');
  await expect.poll(() => readFile(at('tale.txt'), 'utf8')).toBe('once\nupon\na\nTIME\n');
  await expect.poll(() => hints.count()).toBe(1);
  await runCommandByKeys(page, 'Harness: Next Change');
  await page.locator('.statusbar').getByText('Ln 4, Col 1').waitFor();
  await runCommandByKeys(page, 'Harness: Accept Change');
  await expect.poll(() => hints.count()).toBe(0);
  expect(await readFile(at('tale.txt'), 'utf8')).toBe('once\nupon\na\nTIME\n');

  await openTree(/^made\.txt/);
  await goTo(/^moved\.txt in .*, moved from old\.txt, not reviewed/);
  expect(await row(/^old\.txt/).count(), 'a move is one change').toBe(0);
  await choose(/^moved\.txt/);
  await page.keyboard.press('Control+Alt+n');
  await expect.poll(() => readFile(at('old.txt'), 'utf8').catch(() => '')).toBe('the same\n');
  await expect(access(at('moved.txt'))).rejects.toThrow('ENOENT');
  await row(/^moved\.txt/).waitFor({ state: 'detached' });
  await goTo(/^made\.txt in .*, new, 1 line added, not reviewed/);
  await choose(/^made\.txt/);
  await page.keyboard.press('Control+Alt+y');
  await page.getByText('Changes by the agent appear here.').waitFor();
  expect(await readFile(at('made.txt'), 'utf8')).toBe('made\n');
});
