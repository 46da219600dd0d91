// The disk of the extension host takes nothing more, as the system tells it by a limit on the size of files.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { extensionHosts } from '../support/vscode/extension-hosts.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, log, ended } = await useHarness({
  settings: { 'harness.permissions.mode': 'bypass' },
});

/** `bytes`: as large may a file be that the extension host writes. */
async function limitFiles(bytes: number | 'unlimited'): Promise<void> {
  for (const host of await extensionHosts(workbench.vscode))
    await promisify(execFile)('prlimit', ['--pid', String(host), `--fsize=${bytes}:unlimited`]);
}

test.skipIf(process.platform !== 'linux')(
  'while nothing can be written, the conversation goes on and nothing is changed; then all of it is in the log',
  async () => {
    claude.says(words('Good morning.'));
    await panel.ask('Good morning');
    await ended('Good morning');
    await limitFiles(0);
    onTestFinished(() => limitFiles('unlimited'));
    claude.says(call('write', { path: 'poem.txt', content: 'Roses\n' }), words('I could not.'));
    await panel.ask('Write a poem');
    await panel.saying('text', 'I could not.').waitFor();
    await panel.saying('error', 'Harness cannot write the session log:').waitFor();
    expect(await panel.tool('write').getAttribute('data-state')).toBe('error');
    await expect(readFile(path.join(workbench.vscode.workspace, 'poem.txt'))).rejects.toThrow('ENOENT');
    expect(await log('Write a poem'), 'none of it is in the file').toEqual([]);
    await limitFiles('unlimited');
    await panel.saying('notice', 'can write the session log again').waitFor();
    expect((await ended('Write a poem')).reason).toBe('done');
    claude.says(call('write', { path: 'poem.txt', content: 'Roses\n' }), words('Now I could.'));
    await panel.ask('Once more');
    expect((await ended('Once more')).reason).toBe('done');
    expect(await readFile(path.join(workbench.vscode.workspace, 'poem.txt'), 'utf8')).toBe('Roses\n');
  },
);
