import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { resizeSideBar, runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, log, ended } = await useHarness({ files: { 'notes.txt': 'as it was\n' } });

const queued = () => panel.find('[aria-label="Queued prompts"] > li');
const waiting = (text: string) => queued().filter({ hasText: text });
const prompts = () => panel.part('user').locator('p').allTextContents();
const prompted = async (first: string) =>
  (await log(first)).flatMap((event) => (event.type === 'user' ? [event.content] : []));

test('prompts that come while a run is on wait their turn, also behind a hidden panel', async () => {
  const first = makeGate();
  claude.says({ ...words('one, two'), chunkSize: 5, hold: { after: 1, until: first.opened } });
  claude.says(words('Second.'), words('Third.'));
  await panel.ask('Count, and be queued behind');
  await panel.saying('text', 'one,').waitFor();
  await panel.ask('the second');
  await panel.ask('the third');
  await panel.ask('never wanted');
  await expect.poll(() => queued().count()).toBe(3);
  await waiting('never wanted').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => queued().count()).toBe(2);
  await waiting('the third').getByRole('button', { name: 'Edit' }).click();
  await expect.poll(() => panel.input.inputValue()).toBe('the third');
  await panel.ask('the third, in other words');
  await waiting('the third, in other words').waitFor();
  await runCommand(workbench.page, 'View: Show Explorer');
  await panel.input.waitFor({ state: 'detached' });
  first.open();
  const all = ['Count, and be queued behind', 'the second', 'the third, in other words'];
  await expect.poll(() => prompted('Count, and be queued behind')).toEqual(all);
  await runCommand(workbench.page, 'View: Show Harness');
  await panel.saying('text', 'Third.').waitFor();
  await panel.rests();
  expect(await prompts()).toEqual(all);
  await expect.poll(() => queued().count()).toBe(0);
});

test('after a stop, and after a reload of the window, a queued prompt waits until it is sent', async () => {
  const never = makeGate();
  claude.says({ ...words('a long story'), chunkSize: 6, hold: { after: 1, until: never.opened } });
  await panel.ask('Tell a story');
  await panel.saying('text', 'a long').waitFor();
  await panel.ask('And another one');
  await waiting('And another one').getByText('Queued').waitFor();
  await panel.stop.click();
  await panel.rests();
  await waiting('And another one').getByText('On hold').waitFor();
  await workbench.page.reload();
  await panel.saying('user', 'Tell a story').waitFor();
  await waiting('And another one').getByText('On hold').waitFor();
  expect(await prompted('Tell a story')).toEqual(['Tell a story']);
  claude.says(words('Once upon a time.'));
  await waiting('And another one').getByRole('button', { name: 'Send' }).click();
  expect((await ended('And another one')).reason).toBe('done');
  await expect.poll(() => queued().count()).toBe(0);
});

test('each session has its own queue', async () => {
  const never = makeGate();
  claude.says({ ...words('a long tale'), chunkSize: 6, hold: { after: 1, until: never.opened } });
  await panel.ask('Tell a tale');
  await panel.saying('text', 'a long').waitFor();
  await panel.ask('And the moral of it');
  await waiting('And the moral').waitFor();
  await panel.stop.click();
  await panel.rests();
  await runCommand(workbench.page, 'Harness: New Session');
  await expect.poll(() => queued().count()).toBe(0);
});

test('Alt+Enter says it to the run: the call behind the current one is skipped, and the next request carries it', async () => {
  const prompt = 'Wait, then write';
  claude.says(
    {
      blocks: [
        { type: 'tool_use', name: 'bash', input: { command: 'until [ -e go ]; do sleep 0.1; done' } },
        { type: 'tool_use', name: 'write', input: { path: 'notes.txt', content: 'changed' } },
      ],
    },
    words('As you like.'),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await expect.poll(() => panel.tool('bash').getAttribute('data-state')).toBe('running');
  await panel.input.fill('Do not write anything');
  await panel.input.press('Alt+Enter');
  await waiting('Do not write').getByText('Sends at next step').waitFor();
  await writeFile(path.join(workbench.vscode.workspace, 'go'), '');
  const { reason } = await ended(prompt);
  expect(reason).toBe('done');
  await expect.poll(() => panel.tool('write').getAttribute('data-state')).toBe('skipped');
  await expect.poll(prompts).toEqual([prompt, 'Do not write anything']);
  await expect.poll(() => queued().count()).toBe(0);
  const last = claude.requests.at(-1)?.body.messages.at(-1);
  expect(JSON.stringify(last)).toMatch(/tool_result.*tool_result.*Do not write anything/);
  expect(await readFile(path.join(workbench.vscode.workspace, 'notes.txt'), 'utf8')).toBe('as it was\n');
});

test('“Send now” brings a queued prompt behind the answer that is coming', async () => {
  const prompt = 'Answer slowly';
  const rest = makeGate();
  claude.says(
    { ...words('The answer'), chunkSize: 4, hold: { after: 1, until: rest.opened } },
    words('That too.'),
  );
  await panel.ask(prompt);
  await panel.saying('text', 'The').waitFor();
  await panel.ask('And say why');
  await waiting('And say why').getByRole('button', { name: 'Send Now' }).click();
  await waiting('And say why').getByText('Sends at next step').waitFor();
  rest.open();
  const { events } = await ended(prompt);
  expect(events.filter(({ type }) => type === 'user')).toHaveLength(2);
  await panel.saying('text', 'That too.').waitFor();
});

test('an earlier prompt is edited and runs again in a session of its own; the first one stays', async () => {
  claude.says(words('Red.'), words('Green.'));
  await panel.ask('Name a colour');
  await ended('Name a colour');
  await panel.ask('And another');
  await ended('And another');
  const before = await log('Name a colour');
  await panel.saying('user', 'And another').getByRole('button', { name: 'Edit this prompt' }).focus();
  await workbench.page.keyboard.press('Enter');
  await expect.poll(() => panel.input.inputValue()).toBe('And another');
  await panel.find('.editing').waitFor();
  claude.says(words('Blue.'));
  claude.forget();
  await panel.ask('And one of the sky');
  expect((await ended('And one of the sky')).reason).toBe('done');
  await expect.poll(prompts).toEqual(['Name a colour', 'And one of the sky']);
  await panel.saying('text', 'Blue.').waitFor();
  expect(await panel.saying('text', 'Green.').count()).toBe(0);
  const fork = await log('And one of the sky');
  expect(fork[0]).toMatchObject({ forkedFrom: { session: before[0]?.session } });
  const stored = path.join(
    workbench.vscode.harnessHome,
    'sessions',
    before[0]?.session ?? '',
    'events.jsonl',
  );
  expect((await readFile(stored, 'utf8')).trimEnd().split('\n')).toHaveLength(before.length);
});

test('while a run is on, an earlier prompt cannot be run again, and what was typed stays', async () => {
  const rest = makeGate();
  claude.says({ ...words('Not yet done'), chunkSize: 4, hold: { after: 1, until: rest.opened } });
  await panel.ask('Take your time');
  await panel.saying('text', 'Not').waitFor();
  await panel.saying('user', 'Take your time').getByRole('button', { name: 'Edit this prompt' }).focus();
  await workbench.page.keyboard.press('Enter');
  await panel.input.press('End');
  await workbench.page.keyboard.type(' please');
  await workbench.page.keyboard.press('Enter');
  await panel.status.getByText('A run is still active').waitFor();
  expect(await panel.input.inputValue()).toBe('Take your time please');
  await workbench.page.keyboard.press('Escape');
  expect(await panel.input.inputValue()).toBe('');
  rest.open();
  expect((await ended('Take your time')).reason).toBe('done');
});

test('the conversation is compacted by a command, a run undone and done again, the cost shown', async () => {
  const notes = path.join(workbench.vscode.workspace, 'notes.txt');
  const prompt = 'Rewrite the notes';
  claude.says(
    call('read', { path: 'notes.txt' }),
    call('write', { path: 'notes.txt', content: 'changed\n' }),
    words('Rewritten.'),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await ended(prompt);
  await runCommand(workbench.page, 'Harness: Undo Last Run');
  await panel.saying('notice', '1 file identical to checkpoint: notes.txt').waitFor();
  expect(await readFile(notes, 'utf8')).toBe('as it was\n');
  await runCommand(workbench.page, 'Harness: Redo');
  await expect.poll(() => readFile(notes, 'utf8')).toBe('changed\n');
  await panel.saying('notice', 'identical to checkpoint').nth(1).waitFor();
  claude.says(words('The notes were rewritten.'));
  await runCommand(workbench.page, 'Harness: Compact Conversation');
  const notice = panel.saying('notice', 'summarized the conversation');
  await notice.getByRole('button', { name: 'Summary' }).click();
  await notice.getByText('The notes were rewritten.').waitFor();
  await panel.find('button.usage').click();
  const dialog = panel.find('[role="dialog"][aria-label="Cost"]');
  await dialog.getByText('Requests').waitFor();
  await workbench.page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await runCommand(workbench.page, 'Harness: Undo Last Run');
  await expect.poll(() => readFile(notes, 'utf8')).toBe('as it was\n');
});

test('at 200 px the queue can be used', async () => {
  const rest = makeGate();
  claude.says({ ...words('Slowly does it'), chunkSize: 6, hold: { after: 1, until: rest.opened } });
  await resizeSideBar(workbench.page, 200);
  await panel.ask('Narrow, please');
  await panel.saying('text', 'Slowly').waitFor();
  await panel.ask('a prompt that is long enough to be broken into more than two lines of this panel');
  const remove = queued().getByRole('button', { name: 'Remove' });
  await remove.click();
  await expect.poll(() => queued().count()).toBe(0);
  rest.open();
  await ended('Narrow, please');
});
