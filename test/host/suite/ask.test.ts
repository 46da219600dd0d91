import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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

const says = (text: string): ScriptedReply => ({ blocks: [{ type: 'text', text }] });
const ask = (prompt: string) => vscode.commands.executeCommand<RunResult>('harness.ask', prompt);

test('ask: another extension sends a prompt and hears how the run ended', () =>
  withClaude([says('Hello.'), says('Hello again.')], async (claude) => {
    await vscode.commands.executeCommand('harness.newSession');
    const first = await ask('Say hello');
    assert.equal(first.reason, 'done');
    const log = join(process.env.HARNESS_HOME ?? '', 'sessions', first.session, 'events.jsonl');
    assert.match(await readFile(log, 'utf8'), /"content":"Hello\."/);
    assert.deepEqual(await ask('Say it again'), first);
    assert.deepEqual(claude.violations, []);
  }));

test('ask: a run is cancelled by the command, and a prompt in the meantime is refused', () => {
  const never = makeGate();
  const endless = { ...says('A long story'), chunkSize: 6, hold: { after: 1, until: never.opened } };
  return withClaude([endless, says('A short one.')], async (claude) => {
    await vscode.commands.executeCommand('harness.newSession');
    const run = ask('Tell a story');
    await eventually('the model is asked', () => claude.requests.length === 1);
    await assert.rejects(async () => ask('Another one'), /A run is active/);
    await vscode.commands.executeCommand('harness.cancel');
    assert.equal((await run).reason, 'cancelled');
    await eventually('the request is given up', () => claude.requests[0]?.disconnected);
    assert.equal((await ask('A shorter story')).reason, 'done');
    assert.deepEqual(claude.violations, []);
  });
});
