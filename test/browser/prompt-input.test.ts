import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openFile, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { GIF, PNG } from '../support/images.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  files: {
    'src/one.ts': 'export const one = 1;\n',
    'notes.txt': 'alpha\nbeta\n',
    'diary.txt': 'morning\n',
    '.env': 'KEY=1\n',
    'zebra.json': '{\n  "zebraStripes": {\n    "count": 3\n  },\n  "other": 1 2\n}\n',
  },
});
const inWorkspace = (name: string) => path.join(workbench.vscode.workspace, name);
const option = (name: string) => panel.find('.choice').filter({ hasText: name });

/** Sends a prompt as it is, whatever could be completed in it. */
async function send(prompt: string): Promise<void> {
  await panel.input.fill(prompt);
  await panel.input.press('Escape');
  await panel.input.press('Enter');
}

/** Pastes or drops a file that VS Code does not know. */
async function give(way: 'paste' | 'drop', name: string, type: string, content: Buffer): Promise<void> {
  await panel.input.evaluate(
    (input, file) => {
      const transfer = new DataTransfer();
      const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], file.name, { type: file.type }));
      const how = { bubbles: true, cancelable: true };
      input.dispatchEvent(
        file.way === 'paste'
          ? new ClipboardEvent('paste', { clipboardData: transfer, ...how })
          : new DragEvent('drop', { dataTransfer: transfer, ...how }),
      );
    },
    { way, name, type, content: content.toString('base64') },
  );
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

/** Types the beginning of a mention and takes the first that is found. */
async function mention(beginning: string, found: string): Promise<void> {
  await panel.input.pressSequentially(`@${beginning}`);
  await option(found).first().waitFor();
  await panel.input.press('Enter');
}

test('a symbol, a folder, the problems, the changes of git and the terminal are completed, and go along', async () => {
  const { page, vscode } = workbench;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: vscode.workspace });
  git('init', '-q');
  git('add', 'diary.txt');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'first');
  await writeFile(inWorkspace('diary.txt'), 'evening\n');
  await openFile(page, 'zebra.json');
  await page.locator('.squiggly-error').first().waitFor();
  await runCommand(page, 'Terminal: Create New Terminal');
  await page.locator('.xterm-rows > div', { hasText: /[$#]\s*$/ }).waitFor();
  await page.keyboard.type('sleep 0.5; echo wal$((6 * 7))rus; sleep 0.5\n');
  await page.locator('.xterm-rows > div', { hasText: /^wal42rus/ }).waitFor();

  await panel.input.fill('Tell of ');
  await mention('zebraStr', 'zebraStripes');
  await mention('sr', 'src/');
  await mention('prob', 'problems');
  await mention('gi', 'git');
  await mention('term', 'terminal');
  const prompt = 'Tell of @zebra.json#zebraStripes @src/ @problems @git @terminal ';
  await expect.poll(() => panel.input.inputValue()).toBe(prompt);
  claude.says(words('Five things.'));
  await panel.input.press('Enter');
  const { events } = await ended(prompt);
  const [user] = events.filter((event) => event.type === 'user');
  expect(user?.context).toMatch(
    /## @zebra\.json#zebraStripes: .*\n.*"zebraStripes": \{\n {4}"count": 3\n {2}\}/,
  );
  expect(user?.context).toMatch(/## @src\/: [^#]*\none\.ts\n/);
  expect(user?.context).toMatch(/zebra\.json:5 error: Expected comma/);
  expect(user?.context).toMatch(/-morning\n\+evening/);
  expect(user?.context).toMatch(/\nwal42rus\n/);
  expect(sent()).toContain('wal42rus');
});

test('the selection goes along as it is', async () => {
  const { page } = workbench;
  claude.says(words('Beta.'));
  await openFile(page, 'notes.txt');
  await page.locator('.monaco-editor.focused').waitFor();
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
    ['@src/none.ts', 'src/none.ts was not found in this workspace'],
    ['@.env', 'may contain secrets'],
  ]) {
    await send(`Read ${mention}`);
    await panel
      .find('[role="alert"]')
      .getByText(reason ?? '')
      .waitFor();
    await expect.poll(() => panel.input.inputValue()).toBe(`Read ${mention}`);
  }
  await panel.input.press('Enter');
  await ended('Read @.env');
  expect(sent()).not.toContain('KEY=1');
});

test('a pasted image is kept by its content and goes to the model as it is', async () => {
  claude.says(words('A dot.'), words('Still a dot.'));
  await give('paste', 'dot.png', 'image/png', PNG);
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

test('an image that is dropped is attached; a file of text that is pasted stands in the prompt', async () => {
  claude.says(words('A dot and a poem.'));
  await give('drop', 'dropped.gif', 'image/gif', GIF);
  await panel.find('.chip').getByText('dropped.gif').waitFor();
  await give('paste', 'poem.txt', 'text/plain', Buffer.from('Roses are red'));
  const prompt = 'poem.txt:\n```\nRoses are red\n```\n';
  await expect.poll(() => panel.input.inputValue()).toBe(prompt);
  await panel.input.press('Enter');
  await ended(prompt);
  expect(sent()).toContain('"media_type":"image/gif"');
  expect(sent()).toContain('Roses are red');
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
  const uri = `file://${inWorkspace('src/one.ts')}`;
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

test('/undo, /redo, /model, /permissions, /compact and /clear do what they say', async () => {
  const { page } = workbench;
  const command = async (text: string) => {
    await panel.input.pressSequentially(text);
    await option(text).waitFor();
    await panel.input.press('Enter');
  };
  claude.says(
    call('read', { path: 'diary.txt' }),
    call('write', { path: 'diary.txt', content: 'new\n' }),
    words('Written.'),
  );
  await panel.ask('Write something new');
  await panel.answer('allow_once');
  await ended('Write something new');
  const before = await readFile(inWorkspace('diary.txt'), 'utf8');
  await command('/undo');
  await panel.saying('notice', '1 file identical to checkpoint: diary.txt.').waitFor();
  expect(await readFile(inWorkspace('diary.txt'), 'utf8')).not.toBe(before);
  await command('/redo');
  await expect.poll(() => readFile(inWorkspace('diary.txt'), 'utf8')).toBe(before);
  await expect.poll(() => panel.saying('notice', 'identical to checkpoint: diary.txt.').count()).toBe(2);
  await command('/model');
  await page.locator('.quick-input-title', { hasText: 'Model' }).waitFor();
  await page.keyboard.press('Escape');
  await command('/permissions');
  await page.locator('.notification-toast', { hasText: 'There are no saved permissions yet' }).waitFor();
  claude.says(words('Something was written.'));
  await command('/compact');
  await panel.saying('notice', 'summarized the conversation').waitFor();
  await command('/clear');
  await panel.part('user').waitFor({ state: 'detached' });
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
  const target = inWorkspace('conversation.md');
  await expect
    .poll(() => readFile(target, 'utf8').catch(() => ''))
    .toContain('## Harness\n\nExported words.');
});
