// A session is recorded while it runs in the editor, and plays again in the panel.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withClaude } from './claude.ts';
import { closeEditors, makeFolder, withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';
import { toldMeanwhile } from './told-meanwhile.ts';

const run = <Result>(command: string, ...args: readonly unknown[]) =>
  vscode.commands.executeCommand<Result>(`harness.${command}`, ...args);
const partOf = (session: string, file: string) =>
  join(process.env.HARNESS_HOME ?? '', 'sessions', session, file);

/** A session with a file written and a command run; its folder is left, so its recording is complete. */
async function recordedSession(): Promise<string> {
  const path = join(await makeFolder(), 'made.txt');
  const calls = [
    { type: 'tool_use', name: 'write', input: { path, content: 'one\n' } },
    { type: 'tool_use', name: 'bash', input: { command: `cat ${path}` } },
  ] as const;
  let session = '';
  await withUserSetting('harness.recording', true, () =>
    withUserSetting('harness.permissions.mode', 'bypass', () =>
      withClaude([{ blocks: calls }, { blocks: [{ type: 'text', text: 'All done.' }] }], async () => {
        await run('newSession');
        ({ session } = await run<{ session: string }>('ask', 'Go on'));
      }),
    ),
  );
  await run('newSession');
  await eventually('its recording is complete', async () =>
    /"name":"log\.close"/.test(await readFile(partOf(session, 'recording.jsonl'), 'utf8')),
  );
  return session;
}

test('replay: a session of the editor plays again without its server, equal hash for hash', async () => {
  const session = await recordedSession();
  const replayed = await run('replaySession', { session, speed: 0 });
  const lines = (await readFile(partOf(session, 'events.jsonl'), 'utf8')).trim().split('\n');
  assert.deepEqual(replayed, { equal: true, events: lines.length - 1 });
  await run('newSession');
});

test('replay: the first difference is opened as a diff', async () => {
  const session = await recordedSession();
  const path = partOf(session, 'recording.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll('All done', 'All gone'));
  const replayed = await run<{ equal: boolean }>('replaySession', { session, speed: 0 });
  assert.equal(replayed.equal, false);
  const document = vscode.window.activeTextEditor?.document;
  assert.equal(document?.languageId, 'diff');
  assert.match(document?.getText() ?? '', /-.*All done[\s\S]*\+.*All gone/);
  await closeEditors();
  await run('newSession');
});

test('report: a session has no recording unless its user wants one, and a report offers to turn that on', async () => {
  await withClaude([{ blocks: [{ type: 'text', text: 'Hello.' }] }], async () => {
    await run('newSession');
    const { session } = await run<{ session: string }>('ask', 'Hi');
    await assert.rejects(readFile(partOf(session, 'recording.jsonl')), /ENOENT/);
  });
  const isOn = () => vscode.workspace.getConfiguration('harness').get<boolean>('recording');
  const target = join(await makeFolder(), 'report.harness-session');
  await toldMeanwhile(async (told) => {
    await run('reportIssue', target);
    await eventually('recording is on', async () => isOn() === true);
    assert.match(told.at(-1) ?? '', /This session was not recorded/);
  }, 'Turn On Recording');
  await vscode.workspace
    .getConfiguration('harness')
    .update('recording', undefined, vscode.ConfigurationTarget.Global);
  assert.equal(isOn(), false);
  await closeEditors();
  await run('newSession');
});

test('report: one file, of which is shown first what it holds, and which plays again', async () => {
  const session = await recordedSession();
  await run('timeTravel', { session });
  const target = join(await makeFolder(), 'report.harness-session');
  await run('reportIssue', target);
  const shown = vscode.window.activeTextEditor?.document;
  assert.equal(shown?.languageId, 'markdown');
  const text = shown?.getText() ?? '';
  assert.match(text, /\d+ events from the session log[\s\S]*the recording for replay/);
  assert.match(text, /## Files with included versions\n\n- `[^`]*made\.txt`\n/);
  assert.match(text, /## Addresses of model servers\n\n- `http[^`]+`\n/);
  assert.match(text, /secrets in 0 events, and 0 file versions that contain secrets/);
  const replayed = await run<{ equal: boolean }>('replaySession', { file: target, speed: 0 });
  assert.equal(replayed.equal, true);
  await closeEditors();
  await run('newSession');
});

test('replay: nothing of the session can be undone or rejected by what is shown of its recording', async () => {
  const session = await recordedSession();
  const [path = ''] = /[^"]*made\.txt/.exec(await readFile(partOf(session, 'events.jsonl'), 'utf8')) ?? [];
  await run('replaySession', { session, speed: 0 });
  for (const command of ['undo', 'redo']) await assert.rejects(async () => run(command), /is a recording/);
  await assert.rejects(async () => run('restoreCheckpoint', { seq: 1 }), /is a recording/);
  await assert.rejects(async () => run('rejectAll'), /no changes to review here/);
  assert.equal(await readFile(path, 'utf8'), 'one\n');
  await run('newSession');
});
