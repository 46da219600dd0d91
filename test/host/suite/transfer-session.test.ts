import assert from 'node:assert/strict';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withClaude } from './claude.ts';
import { makeOutsideFolder } from './files.ts';
import { eventually, test } from './runner.ts';

interface RunResult {
  readonly session: string;
}

const run = (command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand(`harness.${command}`, ...args);
const ask = (prompt: string) => vscode.commands.executeCommand<RunResult>('harness.ask', prompt);
const folderOf = (session: string) => join(process.env.HARNESS_HOME ?? '', 'sessions', session);
const says = (text: string) => ({ blocks: [{ type: 'text', text } as const] });

test('transfer: a session leaves as one file, and goes on from it where it is not known', () =>
  withClaude([says('It is bramble.'), says('Still bramble.')], async (claude) => {
    await run('newSession');
    const { session } = await ask('Which word?');
    const folder = await makeOutsideFolder();
    const [file, page] = [`${session}.harness-session`, 'page.html'].map((name) =>
      vscode.Uri.file(join(folder, name)),
    );
    await run('exportSession', file);
    await run('exportSession', page);
    assert.match(await readFile(page?.fsPath ?? '', 'utf8'), /<p>It is bramble\.<\/p>/);
    await run('newSession');
    await eventually('it is given back', async () => !(await readdir(folderOf(session))).includes('lock'));
    await rm(folderOf(session), { recursive: true });
    await run('importSession', file);
    assert.equal((await ask('And now?')).session, session);
    assert.match(claude.requests.at(-1)?.raw ?? '', /It is bramble/);
    const log = await readFile(join(folderOf(session), 'events.jsonl'), 'utf8');
    assert.match(log, /"type":"imported"/);
  }));

test('transfer: what is no session is refused', async () => {
  const folder = await makeOutsideFolder();
  const file = vscode.Uri.file(join(folder, 'missing.harness-session'));
  await assert.rejects(async () => run('importSession', file), /there is no file/);
});
