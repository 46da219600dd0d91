import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { makeGate } from '../../support/gate.ts';
import { withClaude } from './claude.ts';
import { eventually, test } from './runner.ts';

interface RunResult {
  readonly session: string;
  readonly reason: string;
}

const ask = (prompt: string) => vscode.commands.executeCommand<RunResult>('harness.ask', prompt);
const run = (command: string) => vscode.commands.executeCommand(`harness.${command}`);
const folderOf = (session: string) => join(process.env.HARNESS_HOME ?? '', 'sessions', session);
const logOf = (session: string) => readFile(join(folderOf(session), 'events.jsonl'), 'utf8');
const isLocked = async (session: string) => (await readdir(folderOf(session))).includes('lock');
const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter(isOurs);

function isOurs({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith('harness.chat.editor');
}

/** A reply that stops in the middle until `until`. */
function held(text: string, until: Promise<void>): ScriptedReply {
  return { blocks: [{ type: 'text', text }], chunkSize: 6, hold: { after: 1, until } };
}

test('sessions: two run at the same time, each in its own log; the one that nobody shows goes on and is given back', () => {
  const first = makeGate();
  const second = makeGate();
  const replies = [held('The first answer.', first.opened), held('The second answer.', second.opened)];
  return withClaude(replies, async (claude) => {
    await run('newSession');
    const one = ask('The first question');
    await eventually('the first runs', () => claude.requests.length === 1);
    await run('newSession');
    const two = ask('The second question');
    await eventually('both run', () => claude.requests.length === 2);
    assert.equal(claude.requests[0]?.disconnected, false);
    first.open();
    const ended = await one;
    assert.equal(ended.reason, 'done');
    await eventually('nobody holds the first any more', async () => !(await isLocked(ended.session)));
    assert.match(await logOf(ended.session), /The first answer\./);
    second.open();
    const other = await two;
    assert.equal(other.reason, 'done');
    assert.notEqual(other.session, ended.session);
    assert.doesNotMatch(await logOf(other.session), /The first (?:question|answer)/);
    assert.equal(await isLocked(other.session), true);
    assert.deepEqual(claude.violations, []);
  });
});

test('sessions: a tab shares the session that the side bar shows, and closing it ends nothing', () => {
  const gate = makeGate();
  const replies = [held('A shared answer.', gate.opened), { blocks: [{ type: 'text', text: 'More.' }] }];
  return withClaude(replies as ScriptedReply[], async (claude) => {
    await run('newSession');
    const asked = ask('A shared question');
    await eventually('it runs', () => claude.requests.length === 1);
    await run('openInEditor');
    const [tab] = await eventually('its tab is there', () => tabs().length === 1 && tabs());
    await eventually('it has the title', () => tabs()[0]?.label === 'A shared question');
    await assert.rejects(async () => ask('Another one'), /A run is active/);
    await run('openInEditor');
    assert.equal(tabs().length, 1);
    assert.ok(tab);
    await vscode.window.tabGroups.close(tabs());
    gate.open();
    const { session, reason } = await asked;
    assert.equal(reason, 'done');
    assert.deepEqual(await ask('And more?'), { session, reason: 'done' });
    assert.deepEqual(claude.violations, []);
  });
});

test('sessions: in a tab another session runs beside that of the side bar', () => {
  const gate = makeGate();
  const replies = [
    held('In the side bar.', gate.opened),
    { blocks: [{ type: 'text', text: 'In the tab.' }] },
  ];
  return withClaude(replies as ScriptedReply[], async (claude) => {
    await run('newSession');
    const inView = ask('Answer in the side bar');
    await eventually('it runs', () => claude.requests.length === 1);
    await run('openInEditor');
    await eventually('its tab is there', () => tabs().length === 1);
    await run('newSession');
    const inTab = await ask('Answer in the tab');
    assert.equal(inTab.reason, 'done');
    assert.equal(claude.requests[0]?.disconnected, false);
    await vscode.window.tabGroups.close(tabs());
    await eventually('the tab’s session is given back', async () => !(await isLocked(inTab.session)));
    gate.open();
    assert.equal((await inView).reason, 'done');
    assert.notEqual((await inView).session, inTab.session);
    assert.deepEqual(claude.violations, []);
  });
});
