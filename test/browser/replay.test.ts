import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { runCommandByKeys } from '../support/vscode/keyboard.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({ settings: { 'harness.recording': true } });

const PROMPT = 'Write a tale';
const END = 'The tale is written.';

const focusedRow = (label: string) =>
  workbench.page.locator('.quick-input-list .monaco-list-row.focused', { hasText: label });
const statusItem = () => workbench.page.locator('.statusbar-item', { hasText: 'Replay:' });
const shown = async () =>
  (await panel.parts()).map(({ kind, tool, state, text }) => [kind, tool, state, text]);

/** Types what tells a row of the list that is open, or will be, from the others, and takes it. */
async function pick(label: string): Promise<void> {
  const { page } = workbench;
  await page.locator('.quick-input-list .monaco-list-row', { hasText: label }).waitFor();
  await page.keyboard.type(label);
  await focusedRow(label).waitFor();
  await page.keyboard.press('Enter');
}

async function playEventByEvent(): Promise<void> {
  await runCommandByKeys(workbench.page, 'Harness: Replay Session…');
  await pick(PROMPT);
  await pick('Event by Event');
  await focusedRow('Next Event').waitFor();
}

/** Presses Enter for one event after the other until there is `part`. */
async function stepTo(part: Locator): Promise<void> {
  while ((await part.count()) === 0) {
    await focusedRow('Next Event').waitFor();
    await workbench.page.keyboard.press('Enter');
    // Not every event is shown.
    await part.waitFor({ timeout: 300 }).catch(() => undefined);
  }
  await focusedRow('Next Event').waitFor();
}

/** Complete when the session that has it is left. */
async function recordingIsComplete(): Promise<void> {
  const recordings = async () => {
    const texts: string[] = [];
    for await (const path of glob(join(workbench.vscode.harnessHome, 'sessions', '*', 'recording.jsonl')))
      texts.push(await readFile(path, 'utf8'));
    return texts.join('');
  };
  await expect.poll(recordings).toContain('"name":"log.close"');
}

test('with the keyboard alone: a recorded run event by event, then as fast as possible, and stopped in the middle', async () => {
  const { page, vscode } = workbench;
  const [tale, count] = ['tale.txt', 'count.txt'].map((name) => join(vscode.workspace, name)) as [
    string,
    string,
  ];
  claude.says(
    call('write', { path: 'tale.txt', content: 'Once\n' }),
    call('bash', { command: 'echo again >> count.txt' }),
    words(END),
  );
  await panel.ask(PROMPT);
  await panel.answer('allow_once');
  await panel.answer('allow_once');
  expect((await ended(PROMPT)).reason).toBe('done');
  const run = await shown();
  await runCommandByKeys(page, 'Harness: New Session');
  await panel.part('user').first().waitFor({ state: 'detached' });
  await expect.poll(() => panel.hasFocus(panel.input)).toBe(true);
  await recordingIsComplete();
  await writeFile(tale, 'Mine\n');
  const asked = claude.requests.length;
  const expectUntouched = async () => {
    expect(await readFile(tale, 'utf8')).toBe('Mine\n');
    expect(await readFile(count, 'utf8')).toBe('again\n');
    expect(claude.requests.length).toBe(asked);
  };

  await playEventByEvent();
  expect(await panel.part('user').count()).toBe(0);
  await stepTo(panel.saying('user', PROMPT));
  expect(await panel.part('tool').count()).toBe(0);
  await stepTo(panel.tool('write'));
  expect(await panel.tool('bash').count()).toBe(0);
  await stepTo(panel.tool('bash'));
  expect(await panel.saying('text', END).count()).toBe(0);
  await page.keyboard.press('Escape');
  await statusItem().filter({ hasText: 'paused' }).waitFor();
  await runCommandByKeys(page, 'Harness: Control Replay…');
  await pick('maximum speed');
  await page
    .locator('.notification-toast', { hasText: /Replayed \d+ events\. All hashes match\./ })
    .waitFor();
  await expect.poll(shown).toEqual(run);
  await statusItem().waitFor({ state: 'detached' });
  await expectUntouched();

  await playEventByEvent();
  await stepTo(panel.tool('write'));
  await pick('Stop');
  await statusItem().waitFor({ state: 'detached' });
  expect(await panel.tool('bash').count()).toBe(0);
  expect(await panel.saying('text', END).count()).toBe(0);
  await expectUntouched();
});
