import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { CHAIN_START, link } from '../../../extension/core/log/hash-chain.ts';
import type { WindowParts } from '../../../extension/vscode/panel/panel-parts.ts';
import { exportSessionCommand } from '../../../extension/vscode/session-commands/transfer-session.ts';
import { withClaude } from './claude.ts';
import { makeOutsideFolder, withUserSetting } from './files.ts';
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

test('transfer: the versions of files of then are seen where the session is imported, and put nowhere', async () => {
  const path = join(await makeOutsideFolder(), 'then.txt');
  const write = (content: string) => ({
    blocks: [{ type: 'tool_use', name: 'write', input: { path, content } } as const],
  });
  let session = '';
  await withUserSetting('harness.permissions.mode', 'bypass', () =>
    withClaude([write('one'), write('two'), says('Done.')], async () => {
      await run('newSession');
      session = (await ask('Write')).session;
    }),
  );
  const file = vscode.Uri.file(`${path}.harness-session`);
  await run('exportSession', file);
  await run('newSession');
  await eventually('it is given back', async () => !(await readdir(folderOf(session))).includes('lock'));
  await rm(folderOf(session), { recursive: true });
  await run('importSession', file);
  await writeFile(path, 'of this machine');
  const events = (await readFile(join(folderOf(session), 'events.jsonl'), 'utf8')).trimEnd().split('\n');
  const changes = events
    .map((line) => JSON.parse(line) as { type: string; seq: number })
    .filter(({ type }) => type === 'files_changed');
  const texts = changes.map(async ({ seq }) => {
    const then = vscode.Uri.parse(`harness-at:${path}?session=${session}&seq=${seq}`);
    return (await vscode.workspace.openTextDocument(then)).getText();
  });
  assert.deepEqual(await Promise.all(texts), ['one', 'two']);
  const restored = await vscode.commands.executeCommand<{ files: unknown[] }>('harness.restoreCheckpoint', {
    session,
    seq: 1,
  });
  assert.deepEqual(restored.files, []);
  assert.equal(await readFile(path, 'utf8'), 'of this machine');
});

test('transfer: a log with a line of more than 16 MB is refused, and named', async () => {
  const home = await makeOutsideFolder();
  const id = '20240101000000-copied';
  const folder = join(home, 'sessions', id);
  await mkdir(folder, { recursive: true });
  // Harness itself writes no record that is so long.
  const start = { type: 'session_started', version: 1, cwd: '/', product: 'test' } as const;
  const { line, head } = link(CHAIN_START, start, 'other', 1);
  const text = { type: 'text', content: 'x'.repeat(17_000_000), timestamp: 2, session: 'other' };
  const long = JSON.stringify({ ...text, seq: 2, prev: head.hash });
  await writeFile(join(folder, 'events.jsonl'), `${line}\n${long}\n`);
  const { extensionUri: extension } = vscode.extensions.getExtension('harness.harness-agent') ?? {};
  // As much of the window as is asked for.
  const parts = { extension, places: { home }, keys: { stored: async () => [] } } as unknown as WindowParts;
  await assert.rejects(
    exportSessionCommand(parts, id, vscode.Uri.file(join(home, 'x.harness-session'))),
    /line 2 is longer than 16 MB/,
  );
});

test('transfer: what is no session is refused', async () => {
  const folder = await makeOutsideFolder();
  const file = vscode.Uri.file(join(folder, 'missing.harness-session'));
  await assert.rejects(async () => run('importSession', file), /there is no file/);
});
