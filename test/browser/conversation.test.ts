import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { outlineOfEvents, outlineOfParts } from '../support/vscode/outline.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

/** With a byte order mark, and none of the usual line ends. */
const ODD_TEXT = '\ufeffone\r\ntwo\r\nthree';

const { claude, workbench, panel, ended } = await useHarness({
  files: { 'greeting.txt': 'Hello\nworld\n', 'odd.txt': ODD_TEXT, 'kept.txt': 'kept\n' },
});
const inWorkspace = (name: string) => path.join(workbench.vscode.workspace, name);
const text = (name: string) => readFile(inWorkspace(name), 'utf8');
const replaceLine = (file: string, line: number, content: string) =>
  call('edit', {
    path: file,
    operations: [{ op: 'replace', startLine: line, endLine: line, content: [content] }],
  });

test('a whole conversation, with the keyboard alone', async () => {
  const { page } = workbench;
  const prompt = 'Greet everybody instead of the world';
  const rest = makeGate();
  claude.says(
    {
      ...call('read', { path: 'greeting.txt' }, 'First I look at the text that greets.'),
      chunkSize: 20,
      hold: { after: 1, until: rest.opened },
    },
    replaceLine('greeting.txt', 2, 'everybody'),
    call('bash', { command: 'echo one; until [ -e go ]; do sleep 0.05; done; echo two' }),
    words('## All is done\n\n- it greets **everybody**\n\n| file | lines |\n| --- | --- |\n| greeting | 1 |'),
  );

  await runCommandByKeys(page, 'Harness: New Session');
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
  await page.keyboard.type(prompt);
  await page.keyboard.press('Enter');

  await panel.saying('text', /^\s*First I look at the\s*$/).waitFor();
  await expect.poll(() => panel.stop.isVisible()).toBe(true);
  rest.open();

  const allowOnce = panel.card.getByRole('button', { name: 'Allow once' });
  await page.locator('.tab.active', { hasText: 'not applied yet' }).waitFor();
  await page.locator('.monaco-diff-editor').waitFor();
  await expect.poll(() => panel.hasFocus(allowOnce)).toBe(true);
  expect(await text('greeting.txt')).toBe('Hello\nworld\n');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Shift+Tab');
  await expect.poll(() => allowOnce.getAttribute('aria-disabled')).toBe('false');
  await page.keyboard.press('Enter');
  await page.locator('.tab', { hasText: 'not applied yet' }).waitFor({ state: 'detached' });

  await expect.poll(() => panel.hasFocus(panel.card.getByRole('button', { name: 'Deny' }))).toBe(true);
  for (const _ of ['Always allow', 'Allow in this session', 'Allow once'])
    await page.keyboard.press('Shift+Tab');
  await expect.poll(() => panel.hasFocus(allowOnce)).toBe(true);
  await expect.poll(() => allowOnce.getAttribute('aria-disabled')).toBe('false');
  await page.keyboard.press('Enter');

  await page.locator('.xterm-rows > div', { hasText: /^one\s*$/ }).waitFor();
  await page.locator('.single-terminal-tab', { hasText: 'Harness' }).waitFor();
  await panel.tool('bash').locator('.live-output', { hasText: 'one' }).waitFor();
  await writeFile(inWorkspace('go'), '');

  const { reason, events } = await ended(prompt);
  expect(reason).toBe('done');
  expect(await text('greeting.txt')).toBe('Hello\neverybody\n');
  await panel.part('text').locator('table').waitFor();
  expect(await panel.part('text').locator('h2').textContent()).toBe('All is done');
  expect(await panel.part('text').locator('li strong').textContent()).toBe('everybody');
  await expect.poll(async () => outlineOfParts(await panel.parts())).toEqual(outlineOfEvents(events));
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
});

test('a denied edit changes nothing, and the model is told', async () => {
  const prompt = 'Overwrite what is kept';
  claude.says(call('read', { path: 'kept.txt' }), replaceLine('kept.txt', 1, 'gone'), words('As you wish.'));
  await panel.ask(prompt);
  await panel.answer('deny');
  expect((await ended(prompt)).reason).toBe('done');
  expect(await panel.tool('edit').getAttribute('data-state')).toBe('denied');
  expect(await panel.tool('edit').textContent()).toContain('denied');
  expect(await text('kept.txt')).toBe('kept\n');
  expect(JSON.stringify(claude.requests.at(-1)?.body.messages.at(-1))).toContain('denied by the user');
});

test('Enter pressed twice allows one action, not the one that is asked about next', async () => {
  const prompt = 'Run two commands';
  const command = (name: string) =>
    ({ type: 'tool_use', name: 'bash', input: { command: `touch ${name}` } }) as const;
  claude.says({ blocks: [command('first'), command('second')] }, words('One of them.'));
  await panel.ask(prompt);
  const allowOnce = panel.card.getByRole('button', { name: 'Allow once' });
  await expect.poll(() => allowOnce.getAttribute('aria-disabled')).toBe('false');
  await allowOnce.focus();
  await Promise.all(['Enter', 'Enter'].map((key) => workbench.page.keyboard.press(key)));
  await panel.tool('bash').nth(0).and(panel.find('[data-state="done"]')).waitFor();
  await panel.answer('deny');
  await ended(prompt);
  expect(await readdir(workbench.vscode.workspace)).toContain('first');
  expect(await readdir(workbench.vscode.workspace)).not.toContain('second');
});

test('a file that changes while the approval is open is not overwritten', async () => {
  const prompt = 'Change what somebody else changes';
  claude.says(call('read', { path: 'kept.txt' }), replaceLine('kept.txt', 1, 'mine'), words('I see.'));
  await panel.ask(prompt);
  await panel.card.waitFor();
  await writeFile(inWorkspace('kept.txt'), 'theirs\n');
  await panel.answer('allow_once');
  await ended(prompt);
  expect(await panel.tool('edit').getAttribute('data-state')).toBe('error');
  expect(await text('kept.txt')).toBe('theirs\n');
});

test("the editor's own undo gives back the exact bytes", async () => {
  const { page } = workbench;
  const prompt = 'Change the second line';
  claude.says(call('read', { path: 'odd.txt' }), replaceLine('odd.txt', 2, 'ZWEI'), words('Changed.'));
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await ended(prompt);
  expect(await text('odd.txt')).not.toBe(ODD_TEXT);
  await openFile(page, 'odd.txt');
  await page.locator('.monaco-editor.focused').waitFor();
  await page.keyboard.press('Control+z');
  await page.keyboard.press('Control+s');
  await expect.poll(() => text('odd.txt')).toBe(ODD_TEXT);
});
