// The window is reloaded while a session's past comes back: restored, rejected, forked, looked at, played again.
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, log, ended } = await useHarness({
  settings: { 'harness.permissions.mode': 'bypass', 'harness.recording': true },
});

/** Each is an edit of its own in an editor: restoring them takes longer than asking for a reload. */
const MANY = 25;
/** In a worktree they are only written. */
const VERY_MANY = 300;
const OLD = 'as it was\n';
const NEW = 'written anew\n';
const inWorkspace = (name: string) => path.join(workbench.vscode.workspace, name);
const run = (command: string) => runCommand(workbench.page, `Harness: ${command}`);
const banner = () => panel.find('section[aria-label="Earlier point in time"]');
const row = (label: string) =>
  workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label });

async function reload(): Promise<void> {
  await workbench.page.reload();
  await panel.part('user').first().waitFor();
}

async function say(prompt: string, answer: string): Promise<void> {
  claude.says(words(answer));
  await panel.ask(prompt);
  expect((await ended(prompt)).reason).toBe('done');
}

/** What each of the many files holds. */
async function contents(folder = inWorkspace('many')): Promise<readonly string[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')));
}

const howMany = async (content: string) => (await contents()).filter((text) => text === content).length;

/** The agent has written all of very many files anew. */
async function writeAnew(prompt: string, count = MANY): Promise<void> {
  await rm(inWorkspace('many'), { recursive: true, force: true });
  await mkdir(inWorkspace('many'));
  for (let file = 0; file < count; file += 1) await writeFile(inWorkspace(`many/${file}`), OLD);
  const command = `for file in many/*; do printf '${NEW.trim()}\\n' > $file; done`;
  claude.says(call('bash', { command }), words('Written anew.'));
  await panel.ask(prompt);
  expect((await ended(prompt)).reason).toBe('done');
  expect(await howMany(NEW)).toBe(count);
}

test('in a restore: each file is old or new, it is told, and it can be done to the end', async () => {
  const prompt = 'Write very many files anew';
  await writeAnew(prompt);
  await run('Undo Last Run');
  await expect.poll(() => readFile(inWorkspace('many/0'), 'utf8'), { interval: 10 }).toBe(OLD);
  expect((await log(prompt)).some(({ type }) => type === 'restored')).toBe(false);
  await reload();
  await panel.saying('notice', /in the middle of a restore|identical to checkpoint/).waitFor();
  expect((await howMany(OLD)) + (await howMany(NEW))).toBe(MANY);
  await run('Redo');
  await expect.poll(() => howMany(NEW)).toBe(MANY);
  await say('All there again?', 'I see.');
});

test('in a redo: each file is old or new, it is told, and all can be taken back', async () => {
  const prompt = 'Write many files, once and again';
  await writeAnew(prompt);
  const restores = async () => (await log(prompt)).filter(({ type }) => type === 'restored').length;
  await run('Undo Last Run');
  await expect.poll(restores).toBe(1);
  expect(await howMany(OLD)).toBe(MANY);
  await run('Redo');
  await expect.poll(() => readFile(inWorkspace('many/0'), 'utf8'), { interval: 10 }).toBe(NEW);
  expect(await restores()).toBe(1);
  await reload();
  await panel
    .saying('notice', /in the middle of a restore|identical to checkpoint/)
    .nth(1)
    .waitFor();
  expect((await howMany(OLD)) + (await howMany(NEW))).toBe(MANY);
  await run('Undo Last Run');
  await expect.poll(() => howMany(OLD)).toBe(MANY);
  await say('All as it was?', 'It is.');
});

test('in a rejection: each file is old or new, what is left waits, and the model is told', async () => {
  const prompt = 'Write many files anew';
  const rejected = async () =>
    (await log(prompt)).filter((event) => event.type === 'files_changed' && event.by === 'review').length;
  await writeAnew(prompt);
  await run('Reject All Changes');
  await expect.poll(rejected, { interval: 10 }).toBeGreaterThan(0);
  expect(await rejected()).toBeLessThan(MANY);
  await reload();
  expect((await howMany(OLD)) + (await howMany(NEW))).toBe(MANY);
  await run('Reject All Changes');
  await expect.poll(() => howMany(OLD)).toBe(MANY);
  await say('What is left of it?', 'Nothing.');
  expect(JSON.stringify(claude.requests.at(-1))).toContain('many/0');
});

test('in a fork into a worktree: nothing that is there is touched, and the fork can be made again', async () => {
  const { page, vscode } = workbench;
  const git = (...args: string[]) => execFileSync('git', args, { cwd: vscode.workspace });
  git('init', '-q');
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '--allow-empty', '-qm', 'first');
  const [first, second] = [`${vscode.workspace}-fork`, `${vscode.workspace}-fork-2`];
  onTestFinished(async () => {
    for (const folder of [first, second, inWorkspace('.git')])
      await rm(folder, { recursive: true, force: true });
  });
  const prompt = 'Write all files anew';
  await writeAnew(prompt, VERY_MANY);
  const before = await log(prompt);
  const fork = async () => {
    await run('Fork from Here');
    await row('With Files from That Point').click();
  };
  await fork();
  const made = () => readdir(path.join(first, 'many')).then(({ length }) => length);
  await expect.poll(made, { interval: 10 }).toBeGreaterThan(0);
  expect(await made()).toBeLessThan(VERY_MANY);
  await reload();
  expect(await howMany(NEW)).toBe(VERY_MANY);
  expect(await log(prompt)).toEqual(before);
  await fork();
  await page.locator('.notification-toast', { hasText: `The fork is in ${second}` }).waitFor();
  expect(await contents(path.join(second, 'many'))).toEqual(await contents());
});

test('in the past: the conversation is there as it is now, and goes on', async () => {
  await say('Begin a story', 'Once.');
  await say('Go on with it', 'Twice.');
  const now = await panel.parts();
  while ((await panel.saying('user', 'Go on with it').count()) > 0) {
    const point = (await banner().allTextContents()).join();
    await run('Step Back in Time');
    await expect.poll(async () => (await banner().allTextContents()).join()).not.toBe(point);
  }
  await reload();
  await expect.poll(() => panel.parts()).toEqual(now);
  expect(await banner().count()).toBe(0);
  await say('And in the end?', 'Thrice.');
});

test('in a replay: the conversation of before is shown, and nothing of the replay stays', async () => {
  const { page, vscode } = workbench;
  await say('To be played again', 'Played.');
  await run('New Session');
  await panel.part('user').waitFor({ state: 'detached' });
  await say('What comes after it', 'This.');
  const [now, asked] = [await panel.parts(), claude.requests.length];
  const folders = async () => {
    const entries = await readdir(path.join(vscode.harnessHome, 'sessions'), { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  };
  const before = await folders();
  await run('Replay Session…');
  await row('To be played again').click();
  await row('Event by Event').click();
  await panel.saying('user', 'What comes after it').waitFor({ state: 'detached' });
  while ((await panel.saying('user', 'To be played again').count()) === 0) {
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Next Event' }).waitFor();
    await page.keyboard.press('Enter');
  }
  await reload();
  await expect.poll(() => panel.parts()).toEqual(now);
  expect(await page.locator('.statusbar-item', { hasText: 'Replay:' }).count()).toBe(0);
  expect(await folders()).toEqual(before);
  expect(claude.requests.length).toBe(asked);
  await say('Does it go on?', 'It does.');
});
