import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();

/** Over the panel. VS Code puts the container's name before it. */
const title = () => workbench.page.locator('.part.sidebar .composite.title h2').textContent();
const toast = (text: string) => workbench.page.locator('.notification-toast', { hasText: text });
const badge = () =>
  workbench.page
    .locator('.activitybar .action-item', {
      has: workbench.page.locator('a[aria-label^="Harness"]'),
    })
    .locator('.badge-content');
const row = (label: string) =>
  workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label });
const FILTER = '.quick-input-widget .quick-input-filter input[type="text"]';

async function ask(prompt: string, answer: string): Promise<void> {
  claude.says(words(answer));
  await panel.ask(prompt);
  await ended(prompt);
}

async function openSession(label: string): Promise<void> {
  await runCommand(workbench.page, 'Harness: Session History');
  await row(label).click();
}

/** A reply that stops in the middle until `until`. */
const held = (text: string, until: Promise<void>) => ({
  ...words(text),
  chunkSize: 6,
  hold: { after: 1, until },
});

test('the view bears the title of its session, and the history opens an earlier one', async () => {
  await expect.poll(title).toBe('Harness: Chat');
  await ask('Name the first colour\nof the rainbow', 'Red.');
  await expect.poll(title).toBe('Harness: Name the first colour');
  await runCommand(workbench.page, 'Harness: New Session');
  await expect.poll(title).toBe('Harness: Chat');
  await panel.part('user').waitFor({ state: 'detached' });
  await ask('Name the last colour', 'Violet.');
  await expect.poll(title).toBe('Harness: Name the last colour');
  await openSession('Name the first colour');
  await panel.saying('text', 'Red.').waitFor();
  await expect.poll(title).toBe('Harness: Name the first colour');
  expect(await panel.saying('text', 'Violet.').count()).toBe(0);
  await ask('Which one was it?', 'Red, as I said.');
  await workbench.page.reload();
  await panel.saying('text', 'Red, as I said.').waitFor();
  await expect.poll(title).toBe('Harness: Name the first colour');
});

test('a run goes on when another session is shown, is told in the status bar, and is there to come back to', async () => {
  const { page } = workbench;
  const [first, second] = [makeGate(), makeGate()];
  claude.says(held('One, two, three.', first.opened), held('Four, five, six.', second.opened));
  await panel.ask('Count to three');
  await panel.saying('text', 'One').waitFor();
  await runCommand(page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  await panel.rests();
  await panel.ask('Count on');
  await panel.saying('text', 'Four').waitFor();
  const status = page.locator('.statusbar-item', { hasText: 'Harness' });
  await expect.poll(() => status.textContent()).toContain('2 running');

  await runCommand(page, 'Harness: Session History');
  await expect.poll(() => row('Count to three').textContent()).toContain('running');
  await row('Count to three').click();
  await panel.saying('text', 'One').waitFor();
  await panel.stop.waitFor();
  first.open();
  expect((await ended('Count to three')).reason).toBe('done');
  await panel.saying('text', 'One, two, three.').waitFor();
  await expect.poll(() => status.textContent()).not.toContain('2 running');

  await openSession('Count on');
  await panel.saying('text', 'Four').waitFor();
  second.open();
  expect((await ended('Count on')).reason).toBe('done');
  await status.waitFor({ state: 'detached' });
});

test('of several runs the status bar asks which to cancel', async () => {
  const { page } = workbench;
  claude.says(held('Left, right.', makeGate().opened), held('Up, down.', makeGate().opened));
  await panel.ask('Turn around');
  await panel.saying('text', 'Left').waitFor();
  await runCommand(page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  await panel.ask('Jump');
  await panel.saying('text', 'Up').waitFor();
  const status = page.locator('.statusbar-item', { hasText: 'Harness' });
  await expect.poll(() => status.textContent()).toContain('2 running');
  await status.locator('a').click();
  await row('Turn around').click();
  await expect.poll(() => claude.requests.at(-2)?.disconnected).toBe(true);
  await expect.poll(() => status.textContent()).not.toContain('2 running');
  expect(await panel.stop.isVisible()).toBe(true);
  await status.locator('a').click();
  expect((await ended('Jump')).reason).toBe('cancelled');
});

test('an approval that nobody sees is announced, and “Show” leads to it', async () => {
  const { page } = workbench;
  const gate = makeGate();
  const asks = call('bash', { command: 'echo asked' }, 'I will say it.');
  claude.says({ ...asks, chunkSize: 6, hold: { after: 1, until: gate.opened } }, words('Said.'));
  await panel.ask('Say something aloud');
  await panel.saying('text', 'I will').waitFor();
  await runCommand(page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  gate.open();
  await badge().waitFor();
  expect(await panel.card.count()).toBe(0);
  const announced = toast('Harness needs your approval in “Say something aloud”');
  await announced.getByRole('button', { name: 'Show' }).click();
  await panel.answer('allow_once');
  expect((await ended('Say something aloud')).reason).toBe('done');
});

test('the status bar shows the approval that waits, and then the session, and ends neither', async () => {
  const { page } = workbench;
  const gate = makeGate();
  claude.says(call('bash', { command: 'echo shown' }), held('Said, and gone on.', gate.opened));
  await panel.ask('Say something out of sight');
  await panel.card.waitFor();
  await runCommand(page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  const status = page.locator('.statusbar-item', { hasText: 'Harness' });
  await status.filter({ hasText: 'needs your approval' }).locator('a').click();
  await panel.answer('allow_once');
  await panel.saying('text', 'Said').waitFor();
  await runCommand(page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  await page.locator('.statusbar-item [aria-label*="Press to show the session"]').click();
  await panel.saying('text', 'Said').waitFor();
  gate.open();
  expect((await ended('Say something out of sight')).reason).toBe('done');
});

test('a session is found by what was said in it, renamed, deleted and brought back', async () => {
  const { page } = workbench;
  await ask('Name a river in Africa', 'The Nile, and the Zambezi with its falls.');
  await runCommand(page, 'Harness: New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  await ask('Name a mountain', 'Kilimanjaro.');

  await runCommand(page, 'Harness: Session History');
  await page.locator(FILTER).fill('zambezi');
  await expect.poll(() => row('Name a river').textContent()).toContain('with its falls');
  expect(await row('Name a mountain').count()).toBe(0);
  await row('Name a river').hover();
  await row('Name a river').locator('.action-label[aria-label^="Rename"]').click();
  await page.locator('.quick-input-title', { hasText: 'Rename Session' }).waitFor();
  await page.locator('.quick-input-widget .quick-input-box input').fill('Rivers');
  await page.keyboard.press('Enter');
  await row('Rivers').waitFor();

  await page.locator(FILTER).fill('nobody has said this');
  await row('Rivers').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await page.locator(FILTER).waitFor({ state: 'hidden' });
  await runCommand(page, 'Harness: Session History');
  await row('Rivers').waitFor();
  expect(await title()).toBe('Harness: Name a mountain');
  await row('Rivers').click();
  await panel.saying('text', 'The Nile').waitFor();
  await expect.poll(title).toBe('Harness: Rivers');

  await runCommand(page, 'Harness: Delete Session…');
  await expect.poll(title).toBe('Harness: Chat');
  await runCommand(page, 'Harness: Session History');
  await row('Name a mountain').waitFor();
  expect(await row('Rivers').count()).toBe(0);
  await page.keyboard.press('Escape');
  // Its toast may be gone by now.
  await runCommand(page, 'Notifications: Show Notifications');
  await page
    .locator('.notifications-center .notification-list-item', { hasText: 'Session deleted.' })
    .getByRole('button', { name: 'Undo' })
    .click();
  await panel.saying('text', 'The Nile').waitFor();
  await expect.poll(title).toBe('Harness: Rivers');
});

test('the list can be used with keys alone, and shows the sessions of other folders when it is asked to', async () => {
  const { page, vscode } = workbench;
  const elsewhere = await new JsonlSessionStore(`${vscode.harnessHome}/sessions`, systemClock).create({
    cwd: '/some/where/else',
    product: 'test',
  });
  await elsewhere.append([{ type: 'user', content: 'Feed the cat' }]);
  await elsewhere.close();
  await ask('Feed the dog', 'Done.');
  await runCommand(page, 'Harness: Session History');
  await row('Feed the dog').waitFor();
  expect(await row('Feed the cat').count()).toBe(0);
  // A hover of the input may lie above it.
  await page.locator('.quick-input-titlebar [aria-label="Show Sessions of All Folders"]').press('Enter');
  await row('Feed the cat').waitFor();
  expect(await row('Feed the cat').textContent()).toContain('/some/where/else');

  await page.locator(FILTER).fill('dog');
  await row('Name a river').waitFor({ state: 'detached' });
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Feed the dog' }).waitFor();
  await page.keyboard.press('F2');
  await page.locator('.quick-input-title', { hasText: 'Rename Session' }).waitFor();
  await page.keyboard.type('Feed both');
  await page.keyboard.press('Enter');
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Feed both' }).waitFor();
  await page.keyboard.press('Shift+Delete');
  await row('Feed both').waitFor({ state: 'detached' });
  await page.locator(FILTER).fill('');
  await row('Feed the cat').waitFor();
  await page.keyboard.press('Escape');
  await panel.part('user').waitFor({ state: 'detached' });
  await runCommand(page, 'Notifications: Clear All Notifications');
});

test('a session that runs is not deleted', async () => {
  claude.says(held('Not yet, not yet.', makeGate().opened));
  await panel.ask('Wait a while');
  await panel.saying('text', 'Not').waitFor();
  await runCommand(workbench.page, 'Harness: Delete Session…');
  await toast('Harness is working in this session.').waitFor();
  expect(await panel.stop.isVisible()).toBe(true);
  await runCommand(workbench.page, 'Harness: Cancel');
  expect((await ended('Wait a while')).reason).toBe('cancelled');
});

test('a session that cannot be read is in the list, with the reason, and leads nowhere', async () => {
  const { page, vscode } = workbench;
  const id = '20260102030405-unread';
  const log = `${vscode.harnessHome}/sessions/${id}/events.jsonl`;
  await mkdir(log, { recursive: true });
  onTestFinished(() => rm(dirname(log), { recursive: true }));
  const before = await title();
  await runCommand(page, 'Harness: Session History');
  await expect.poll(() => row(`Could not read ${id}`).textContent()).toContain('EISDIR');
  await row(`Could not read ${id}`).click();
  await row(id).waitFor({ state: 'hidden' });
  expect(await title()).toBe(before);
});
