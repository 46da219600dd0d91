import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile } from '../../scripts/lib/vscode/browser.mjs';
import { PNG } from '../support/images.ts';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  files: { 'src/one.ts': 'export const one = 1;\n', 'notes.txt': 'alpha\nbeta\n', '.env': 'KEY=1\n' },
});
const option = (name: string) => panel.find('.choice').filter({ hasText: name });

/** Sends a prompt as it is, whatever could be completed in it. */
async function send(prompt: string): Promise<void> {
  await panel.input.fill(prompt);
  await panel.input.press('Escape');
  await panel.input.press('Enter');
}

/** What the model was sent last, as JSON. */
const sent = () => JSON.stringify(claude.requests.at(-1)?.body.messages.at(-1));

test('a mention is completed with the files of the workspace, and what it names goes along', async () => {
  claude.says(words('One it is.'));
  await panel.input.pressSequentially('What is in @on');
  await option('one.ts').waitFor();
  await panel.input.press('Enter');
  await expect.poll(() => panel.input.inputValue()).toBe('What is in @src/one.ts ');
  await panel.input.press('Enter');
  const prompt = 'What is in @src/one.ts ';
  const { events } = await ended(prompt);
  expect(sent()).toContain('export const one = 1;');
  const [user] = events.filter((event) => event.type === 'user');
  expect(user?.content).toBe(prompt);
  expect(user?.context).toContain('## @src/one.ts: lines 1-2');
  await panel.button('Context').click();
  await panel.saying('user', 'export const one = 1;').waitFor();
});

test('the selection goes along as it is', async () => {
  const { page } = workbench;
  claude.says(words('Beta.'));
  await openFile(page, 'notes.txt');
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+End');
  await send('Say what @selection is');
  await ended('Say what @selection is');
  expect(sent()).toContain('selected in notes.txt, lines 2-2\\nbeta');
});

test('what is not there or secret is said before sending, and the text stays', async () => {
  claude.says(words('Then not.'));
  for (const [mention, reason] of [
    ['@src/none.ts', 'There is no src/none.ts in this workspace'],
    ['@.env', 'may hold secrets'],
  ]) {
    await send(`Read ${mention}`);
    await panel
      .find('[role="alert"]')
      .getByText(reason ?? '')
      .waitFor();
    expect(await panel.input.inputValue()).toBe(`Read ${mention}`);
  }
  await panel.input.press('Enter');
  await ended('Read @.env');
  expect(sent()).not.toContain('KEY=1');
});

test('a pasted image is kept by its content and goes to the model as it is', async () => {
  claude.says(words('A dot.'), words('Still a dot.'));
  await panel.input.evaluate((input, png) => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
    input.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }),
    );
  }, PNG.toString('base64'));
  await panel.find('.chip').getByText('dot.png').waitFor();
  await panel.ask('What is this dot?');
  const { events } = await ended('What is this dot?');
  expect(sent()).toContain(`"media_type":"image/png","data":"${PNG.toString('base64')}"`);
  const [user] = events.filter((event) => event.type === 'user');
  const file = path.join(workbench.vscode.harnessHome, 'sessions', user?.attachments?.[0] ?? '');
  expect(await readFile(file)).toEqual(PNG);
  await panel.ask('And now?');
  await ended('And now?');
});

test('Ctrl+R finds an earlier prompt, and Esc gives the draft back', async () => {
  claude.says(words('Found.'));
  await panel.ask('Look for the needle');
  await ended('Look for the needle');
  await panel.input.pressSequentially('my draft');
  await panel.input.press('Control+r');
  await panel.input.pressSequentially('NEEDLE');
  await option('Look for the needle').waitFor();
  await panel.input.press('Escape');
  expect(await panel.input.inputValue()).toBe('my draft');
  await panel.input.press('Control+r');
  await panel.input.pressSequentially('needle');
  await option('Look for the needle').waitFor();
  await panel.input.press('Enter');
  expect(await panel.input.inputValue()).toBe('Look for the needle');
  await panel.input.fill('');
});

test('a file of the workspace that is dropped is mentioned, and goes along', async () => {
  claude.says(words('One.'));
  const uri = `file://${path.join(workbench.vscode.workspace, 'src', 'one.ts')}`;
  await panel.input.evaluate((input, list) => {
    const transfer = new DataTransfer();
    transfer.setData('application/vnd.code.uri-list', list);
    input.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, uri);
  await expect.poll(() => panel.input.inputValue()).toContain('@src/one.ts');
  await panel.input.pressSequentially('says what?');
  const prompt = await panel.input.inputValue();
  await panel.input.press('Enter');
  await ended(prompt);
  expect(sent()).toContain('export const one = 1;');
});

test('/help and /cost are chosen from the list', async () => {
  for (const [typed, command, dialog] of [
    ['/he', '/help', 'Help'],
    ['/co', '/cost', 'Cost'],
  ] as const) {
    await panel.input.pressSequentially(typed);
    await option(command).click();
    await panel.find('[role="dialog"]').getByText(dialog).first().waitFor();
    expect(await panel.input.inputValue()).toBe('');
    await workbench.page.keyboard.press('Escape');
    await panel.find('[role="dialog"]').waitFor({ state: 'hidden' });
  }
});

test('/export saves the conversation where the user says', async () => {
  const { page } = workbench;
  claude.says(words('Exported words.'));
  await panel.ask('To be exported');
  await ended('To be exported');
  await panel.input.pressSequentially('/exp');
  await panel.input.press('Enter');
  const box = page.locator('.quick-input-widget input');
  await box.waitFor();
  await expect.poll(() => box.inputValue()).toContain('conversation.md');
  await page.keyboard.press('Enter');
  const target = path.join(workbench.vscode.workspace, 'conversation.md');
  await expect
    .poll(() => readFile(target, 'utf8').catch(() => ''))
    .toContain('## Harness\n\nExported words.');
});
