import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const lines = Array.from({ length: 600 }, (_, index) => `line ${index + 1}`);
const { claude, workbench, panel, ended } = await useHarness({
  files: {
    'long.txt': `${lines.join('\n')}\n`,
    'one.txt': 'one\n',
    'two.txt': 'one\ntwo\nthree\n',
    'three.txt': 'three\n',
  },
});
const paragraphs = Array.from({ length: 40 }, (_, index) => `Paragraph ${index}.\n\n`).join('');

test('all of a long result is shown in an editor that cannot be written in; the panel stays where it is', async () => {
  const { page } = workbench;
  const prompt = 'Read the long file';
  claude.says(call('read', { path: 'long.txt' }, paragraphs), words(paragraphs));
  await panel.ask(prompt);
  await ended(prompt);

  await panel.tool('read').getByRole('button', { name: 'read long.txt' }).click();
  await panel.tool('read').getByText('… (500 more lines)').waitFor();
  const showAll = panel.button('Show All');
  await showAll.scrollIntoViewIfNeeded();
  const top = () => panel.conversation.evaluate(({ scrollTop }) => Math.round(scrollTop));
  const before = await top();
  await showAll.click();

  await page.locator('.tab.active', { hasText: /^read .*\.txt/ }).waitFor();
  const editor = page.locator('.editor-instance .monaco-editor').first();
  const shown = editor.locator('.view-line');
  await shown.filter({ hasText: /^line\s1$/ }).waitFor();
  expect(await top()).toBe(before);
  await editor.locator('.view-lines').click();
  await page.keyboard.press('Control+End');
  await shown.filter({ hasText: /^line\s600$/ }).waitFor();
  await page.keyboard.type('x');
  await page.locator('p', { hasText: 'Cannot edit in read-only editor' }).waitFor();
  expect(await shown.filter({ hasText: 'x' }).count()).toBe(0);
  expect(await top()).toBe(before);
});

test('a running command has the colours of the terminal, in the words of the theme', async () => {
  const prompt = 'Print in colour';
  const command =
    "printf '\\033[31mred\\033[0m plain\\n10%%\\r99%%\\n'; until [ -e go ]; do sleep 0.05; done";
  claude.says(call('bash', { command }), words('Done.'));
  await panel.ask(prompt);
  await panel.answer('allow_once');
  const live = panel.tool('bash').locator('.live-output');
  await live.filter({ hasText: '99%' }).waitFor();
  expect(await live.textContent()).toBe('red plain\n99%');
  const colors = await live.evaluate((output) =>
    [output, output.querySelector('.sgr-31') ?? output].map((element) => getComputedStyle(element).color),
  );
  expect(colors[1]).not.toBe(colors[0]);
  const [red = 0, green = 0] = colors[1]?.match(/[\d.]+/g)?.map(Number) ?? [];
  expect(red).toBeGreaterThan(green);
  await writeFile(path.join(workbench.vscode.workspace, 'go'), '');
  expect((await ended(prompt)).reason).toBe('done');
});

test('a card says in one line what was done; a change opens to its lines, and neighbouring reads to their calls', async () => {
  const { page } = workbench;
  const prompt = 'Look around, then change it';
  const read = (name: string) => ({ type: 'tool_use', name: 'read', input: { path: name } }) as const;
  const operations = [{ op: 'replace', startLine: 2, endLine: 2, content: ['TWO', 'and a half'] }];
  claude.says(
    { blocks: ['one.txt', 'two.txt', 'three.txt'].map(read) },
    call('edit', { path: 'two.txt', operations }),
    call('bash', { command: 'sleep 1.1; exit 3' }),
    words('Changed.'),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await panel.answer('allow_once');
  await panel.rests();
  const reads = panel.find('.group > .disclosure');
  await expect.poll(() => reads.textContent()).toBe('read 3 files done');
  expect(await panel.tool('read').count()).toBe(0);
  await reads.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => panel.tool('read').count()).toBe(3);
  expect((await ended(prompt)).reason).toBe('done');

  const bash = await panel.tool('bash').locator('.disclosure').textContent();
  expect(bash).toMatch(/^bash sleep 1\.1; exit 3 · exit 3 · [\d.]+ s done/);
  const edit = panel.tool('edit');
  expect(await edit.textContent()).toMatch(/^edit two\.txt.*\+2.*−1/);
  await edit.locator('.disclosure').click();
  await edit.getByText('and a half').waitFor();
  await edit.getByRole('button', { name: /Diff/ }).click();
  await page.locator('.tab.active', { hasText: 'change by Harness' }).waitFor();
});
