// The review by keyboard alone, in the packaged extension.
import { readFile } from 'node:fs/promises';
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

const notes = () => readFile(path.join(workbench.vscode.workspace, 'notes.txt'), 'utf8');
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

async function openTree(): Promise<void> {
  const focus = () => runCommandByKeys(workbench.page, 'Harness: Focus on Changes View');
  await focus();
  await row(/^notes\.txt/).waitFor();
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
  await page.getByText('No change by Harness waits for a review.').waitFor();
});
