import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness();

/** Over the panel. VS Code puts the container's name before it. */
const title = () => workbench.page.locator('.part.sidebar .composite.title h2').textContent();
const dialog = () => workbench.page.locator('.monaco-dialog-box');

async function ask(prompt: string, answer: string): Promise<void> {
  claude.says(words(answer));
  await panel.ask(prompt);
  await ended(prompt);
}

async function openSession(label: string): Promise<void> {
  await runCommand(workbench.page, 'Harness: Session History');
  await workbench.page.locator('.quick-input-list .monaco-list-row', { hasText: label }).click();
}

/** A reply that stops in the middle until it is given up. */
const endless = () => ({
  ...words('Once upon a time there was.'),
  chunkSize: 10,
  hold: { after: 1, until: makeGate().opened },
});

test('the view bears the title of its session, and the history opens an earlier one', async () => {
  await expect.poll(title).toBe('Harness: Chat');
  await ask('Name the first colour\nof the rainbow', 'Red.');
  await expect.poll(title).toBe('Harness: Name the first colour');
  await runCommand(workbench.page, 'Harness: New Session');
  await expect.poll(title).toBe('Harness: Chat');
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

test('a new session in the middle of a run is asked about, and stops it', async () => {
  const prompt = 'Tell me a story that never ends';
  claude.says(endless());
  await panel.ask(prompt);
  await panel.saying('text', 'Once upon').waitFor();
  await runCommand(workbench.page, 'Harness: New Session');
  await dialog().getByText('Harness is working in this session. Stop it?').waitFor();
  await dialog().getByRole('button', { name: 'Cancel' }).click();
  await panel.saying('text', 'Once upon').waitFor();
  expect(await panel.stop.isVisible()).toBe(true);
  await runCommand(workbench.page, 'Harness: New Session');
  await dialog().getByRole('button', { name: 'Stop It' }).click();
  await panel.part('user').waitFor({ state: 'detached' });
  await expect.poll(() => claude.requests.at(-1)?.disconnected).toBe(true);
  await openSession(prompt);
  await panel.saying('notice', 'The session was closed while this was running.').waitFor();
  expect((await ended(prompt)).reason).toBe('cancelled');
});
