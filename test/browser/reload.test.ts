import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { isRunning } from '../support/is-running.ts';
import { outlineOfEvents, outlineOfParts } from '../support/vscode/outline.ts';
import { draftIsStored } from '../support/vscode/stored-session.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, log, ended } = await useHarness({ files: { 'notes.txt': 'as it was\n' } });
const inWorkspace = (name: string) => path.join(workbench.vscode.workspace, name);

async function hide(): Promise<void> {
  await runCommand(workbench.page, 'View: Show Explorer');
  await panel.input.waitFor({ state: 'detached' });
}

async function show(): Promise<void> {
  await runCommand(workbench.page, 'View: Show Harness');
  await panel.input.waitFor();
}

async function reload(): Promise<void> {
  await workbench.page.reload();
  await panel.part('user').first().waitFor();
}

test('hidden in the middle of a reply and shown again, the panel has lost nothing', async () => {
  const prompt = 'Count to four';
  const second = makeGate();
  const third = makeGate();
  claude.says(
    {
      ...call('read', { path: 'notes.txt' }, 'one, two, '),
      chunkSize: 5,
      hold: { after: 1, until: second.opened },
    },
    { ...words('three, four'), chunkSize: 6, hold: { after: 1, until: third.opened } },
  );
  await panel.ask(prompt);
  await panel.saying('text', 'one').waitFor();
  await panel.input.fill('a draft');
  await hide();
  await show();
  await expect.poll(() => panel.saying('text', /^\s*one,\s*$/).count()).toBe(1);
  await expect.poll(() => panel.stop.isVisible()).toBe(true);
  await expect.poll(() => panel.input.inputValue()).toBe('a draft');
  await hide();
  second.open();
  await expect.poll(() => claude.requests.length).toBe(2);
  await show();
  await panel.saying('text', /^\s*three,\s*$/).waitFor();
  third.open();
  const { events } = await ended(prompt);
  await panel.saying('text', 'three, four').waitFor();
  await expect.poll(async () => outlineOfParts(await panel.parts())).toEqual(outlineOfEvents(events));
  await expect.poll(() => panel.input.inputValue()).toBe('a draft');
  await panel.input.fill('');
});

test('a page that dies in the middle of a reply is rebuilt, and has lost nothing', async () => {
  const prompt = 'Count to two';
  const rest = makeGate();
  claude.says({ ...words('one, two'), chunkSize: 5, hold: { after: 1, until: rest.opened } });
  await panel.ask(prompt);
  await panel.saying('text', 'one,').waitFor();
  await panel.input.fill('a draft');
  await draftIsStored(workbench.vscode.harnessHome, 'a draft');
  await panel.kill();
  await panel.input.waitFor({ state: 'detached' });
  rest.open();
  await panel.input.waitFor();
  await panel.saying('text', 'one, two').waitFor();
  expect((await ended(prompt)).reason).toBe('done');
  await expect.poll(() => panel.input.inputValue()).toBe('a draft');
  await panel.input.fill('');
});

test('after a reload the conversation is the same', async () => {
  const prompt = 'Read the notes, please';
  claude.says(
    call('read', { path: 'notes.txt' }, 'I read.'),
    words('They are **as they were**.'),
    words('Yes.'),
  );
  await panel.ask(prompt);
  await ended(prompt);
  await panel.saying('text', 'They are as they were.').waitFor();
  const before = await panel.parts();
  await reload();
  await expect.poll(() => panel.parts()).toEqual(before);
  await panel.ask('Still there?');
  expect((await ended('Still there?')).reason).toBe('done');
});

test('a reload in the middle of a reply keeps what was said of it, and the conversation goes on', async () => {
  const prompt = 'Count to three';
  claude.says({ ...words('one, two, three'), chunkSize: 5, hold: { after: 1, until: makeGate().opened } });
  await panel.ask(prompt);
  await panel.saying('text', 'one,').waitFor();
  await reload();
  await panel.saying('notice', 'The session was closed while this was running.').waitFor();
  await panel.saying('text', /^\s*one,\s*The response was cut off here\./).waitFor();
  await expect.poll(() => panel.stop.count()).toBe(0);
  expect((await log(prompt)).at(-1)?.type).toBe('turn_ended');
  claude.says(words('Four.'));
  await panel.ask('And then?');
  expect((await ended('And then?')).reason).toBe('done');
});

test('a reload in the middle of a compaction leaves the conversation as it was, and it can be done again', async () => {
  const { page } = workbench;
  const prompt = 'Remember the word bramble';
  claude.says(words('It is remembered.'));
  await panel.ask(prompt);
  await ended(prompt);
  const asked = claude.requests.length;
  claude.says({ ...words('A summary'), chunkSize: 5, hold: { after: 1, until: makeGate().opened } });
  await runCommand(page, 'Harness: Compact Conversation');
  await expect.poll(() => claude.requests.length).toBe(asked + 1);
  await reload();
  await panel.saying('notice', 'The session was closed while this was running.').waitFor();
  expect((await log(prompt)).some(({ type }) => type === 'compaction')).toBe(false);
  claude.says(words('Bramble.'));
  await panel.ask('Which word?');
  expect((await ended('Which word?')).reason).toBe('done');
  expect(JSON.stringify(claude.requests.at(-1)?.body.messages)).toContain(prompt);
  claude.says(words('The word is bramble.'));
  await runCommand(page, 'Harness: Compact Conversation');
  await panel.saying('notice', 'summarized the conversation').waitFor();
});

test('a reload while an approval is open voids it, and the conversation goes on', async () => {
  const { page } = workbench;
  const prompt = 'Change the notes';
  claude.says(
    call('read', { path: 'notes.txt' }),
    call('write', { path: 'notes.txt', content: 'changed' }, 'I will.'),
    words('Never mind.'),
  );
  await panel.ask(prompt);
  await panel.card.waitFor();
  await page.locator('.tab', { hasText: 'not applied yet' }).waitFor();
  await reload();
  await panel.saying('notice', 'The session was closed while this was running.').waitFor();
  await expect.poll(() => panel.card.count()).toBe(0);
  await expect.poll(() => panel.tool('write').getAttribute('data-state')).toBe('cancelled');
  await expect.poll(() => panel.stop.count()).toBe(0);
  await page.locator('.tab', { hasText: 'not applied yet' }).waitFor({ state: 'detached' });
  expect(await readFile(inWorkspace('notes.txt'), 'utf8')).toBe('as it was\n');
  expect((await log(prompt)).at(-1)?.type).toBe('turn_ended');
  await panel.ask('What now?');
  expect((await ended('What now?')).reason).toBe('done');
});

test('a reload while a busy model is waited for ends the run, and the next prompt is answered', async () => {
  const prompt = 'Are you there?';
  claude.says({
    status: 529,
    headers: { 'retry-after': '50' },
    body: { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  });
  await panel.ask(prompt);
  await panel.saying('notice', 'Claude is overloaded.').waitFor();
  const asked = claude.requests.length;
  await reload();
  await panel.saying('notice', 'The session was closed while this was running.').waitFor();
  await expect.poll(() => panel.stop.count()).toBe(0);
  expect(await panel.saying('notice', 'Claude is overloaded.').count()).toBe(0);
  expect((await log(prompt)).at(-1)?.type).toBe('turn_ended');
  claude.says(words('Now I am.'));
  await panel.ask('And now?');
  expect((await ended('And now?')).reason).toBe('done');
  expect(claude.requests.length).toBe(asked + 1);
});

test('a reload while a command runs ends it', async () => {
  const prompt = 'Wait for me';
  claude.says(
    call('bash', { command: 'sleep 3600 & echo $! > waiting; echo started; wait' }),
    words('Enough.'),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await panel.tool('bash').locator('.live-output', { hasText: 'started' }).waitFor();
  await reload();
  await expect.poll(() => isRunning(inWorkspace('waiting'))).toBe(false);
  await expect.poll(() => panel.tool('bash').getAttribute('data-state')).toBe('cancelled');
  await panel.ask('Waited?');
  expect((await ended('Waited?')).reason).toBe('done');
});

test('a command in the background survives a reload, is listed, and is stopped', async () => {
  const prompt = 'Serve';
  const command = 'echo $$ > serving; echo serving; exec sleep 600';
  claude.says(call('bash', { command, background: true }), words('It runs.'), words('I see.'));
  onTestFinished(async () => {
    if (await isRunning(inWorkspace('serving')))
      process.kill(Number(await readFile(inWorkspace('serving'), 'utf8')));
  });
  await panel.ask(prompt);
  await panel.answer('allow_once');
  expect((await ended(prompt)).reason).toBe('done');
  const listed = panel.find('ul[aria-label="Background commands"] > li');
  await listed.waitFor();
  await reload();
  await listed.waitFor();
  expect(await isRunning(inWorkspace('serving'))).toBe(true);
  await listed.getByRole('button', { name: 'Stop' }).click();
  await listed.waitFor({ state: 'detached' });
  expect(await isRunning(inWorkspace('serving'))).toBe(false);
  await panel.ask('Is it still up?');
  expect((await ended('Is it still up?')).reason).toBe('done');
  expect(JSON.stringify(claude.requests.at(-1)?.body.messages)).toContain('was stopped by the user');
});

test('a crash in the middle of a command: nothing is run again, and the conversation goes on', async () => {
  const prompt = 'Crash, please';
  claude.says(
    call('bash', { command: 'echo run >> runs; echo started; until [ -e stop ]; do sleep 0.1; done' }),
    words('I should look what became of it.'),
  );
  // Whatever kills the host leaves the command alive.
  onTestFinished(() => writeFile(inWorkspace('stop'), ''));
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await panel.tool('bash').locator('.live-output', { hasText: 'started' }).waitFor();
  const [{ session = '' } = {}] = await log(prompt);
  const lock = await readFile(path.join(workbench.vscode.harnessHome, 'sessions', session, 'lock'), 'utf8');
  process.kill(JSON.parse(lock).pid, 'SIGKILL');
  await reload();
  await panel.saying('notice', 'Harness was closed while this was running').waitFor();
  await expect.poll(() => panel.tool('bash').getAttribute('data-state')).toBe('cancelled');
  await panel.ask('What happened?');
  expect((await ended('What happened?')).reason).toBe('done');
  expect(await readFile(inWorkspace('runs'), 'utf8')).toBe('run\n');
  expect(JSON.stringify(claude.requests.at(-1)?.body.messages)).toContain('it may have had effects');
});
