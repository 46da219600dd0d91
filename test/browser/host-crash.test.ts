// The extension host is killed in the middle of everything. The window starts another one by itself; nothing is reloaded.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import { makeGate } from '../support/gate.ts';
import { isRunning } from '../support/is-running.ts';
import { extensionHosts } from '../support/vscode/extension-hosts.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, log, ended } = await useHarness({ files: { 'notes.txt': 'as it was\n' } });
const inWorkspace = (name: string) => path.join(workbench.vscode.workspace, name);

async function killHost(): Promise<void> {
  const hosts = await extensionHosts(workbench.vscode);
  expect(hosts, 'the window has one').toHaveLength(1);
  for (const host of hosts) process.kill(host, 'SIGKILL');
}

/** The new host has the session, closed as interrupted, and it goes on. */
async function expectGoesOn(prompt: string, next: string): Promise<void> {
  await panel.saying('notice', 'Harness was closed while this was running').waitFor();
  await expect.poll(() => panel.stop.count()).toBe(0);
  expect((await log(prompt)).at(-1)).toMatchObject({ type: 'turn_ended', reason: 'error' });
  await panel.saying('user', prompt).waitFor();
  claude.says(words('I should look what became of it.'));
  await panel.ask(next);
  expect((await ended(next)).reason).toBe('done');
  await panel.saying('text', 'I should look what became of it.').waitFor();
}

test.skipIf(process.platform !== 'linux')(
  'killed while an approval is open: the request is void, and nothing was changed',
  async () => {
    const prompt = 'Change the notes';
    claude.says(
      call('read', { path: 'notes.txt' }),
      call('write', { path: 'notes.txt', content: 'changed' }, 'I will.'),
    );
    await panel.ask(prompt);
    await panel.card.waitFor();
    await killHost();
    await expectGoesOn(prompt, 'What became of the notes?');
    expect(await panel.card.count()).toBe(0);
    expect(await panel.tool('write').getAttribute('data-state')).toBe('cancelled');
    expect(await readFile(inWorkspace('notes.txt'), 'utf8')).toBe('as it was\n');
    expect(JSON.stringify(claude.requests.at(-1)?.body.messages)).toContain('before this ran');
  },
);

test.skipIf(process.platform !== 'linux')(
  'killed while a command runs: it ends, is not run again, and what came before it can be undone',
  async () => {
    const prompt = 'Write and wait';
    claude.says(
      call('write', { path: 'letter.txt', content: 'Dear reader\n' }),
      call('bash', { command: 'echo run >> runs; sleep 3600 & echo $! > waiting; echo started; wait' }),
    );
    await panel.ask(prompt);
    await panel.answer('allow_once');
    await panel.answer('allow_once');
    await panel.tool('bash').locator('.live-output', { hasText: 'started' }).waitFor();
    await killHost();
    await expectGoesOn(prompt, 'What became of the command?');
    await expect.poll(() => isRunning(inWorkspace('waiting'))).toBe(false);
    expect(await readFile(inWorkspace('runs'), 'utf8')).toBe('run\n');
    expect(await panel.tool('bash').getAttribute('data-state')).toBe('cancelled');
    expect(JSON.stringify(claude.requests.at(-1)?.body.messages)).toContain('it may have had effects');
    expect(await readFile(inWorkspace('letter.txt'), 'utf8')).toBe('Dear reader\n');
    await runCommand(workbench.page, 'Harness: Undo Last Run');
    await panel.saying('notice', 'identical to checkpoint').waitFor();
    await expect(readFile(inWorkspace('letter.txt'))).rejects.toThrow('ENOENT');
  },
);

test.skipIf(process.platform !== 'linux')(
  'killed in the middle of a reply: the prompt is there, and its run is closed',
  async () => {
    const prompt = 'Count to two';
    // A window starts a host again twice in five minutes by itself; this is another window.
    await workbench.page.reload();
    await panel.input.waitFor();
    claude.says({ ...words('one, two'), chunkSize: 5, hold: { after: 1, until: makeGate().opened } });
    await panel.ask(prompt);
    await panel.saying('text', 'one,').waitFor();
    await killHost();
    await expectGoesOn(prompt, 'How far did you come?');
  },
);
