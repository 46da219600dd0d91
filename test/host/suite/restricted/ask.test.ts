import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { withClaude } from '../claude.ts';
import { test } from '../runner.ts';

const call = { blocks: [{ type: 'tool_use', name: 'bash', input: { command: 'id' } }] } as const;

/** What our own code starts while `body` runs; other extensions live in this process too. */
async function startedDuring(body: () => Promise<void>): Promise<string[]> {
  const processes: typeof import('node:child_process') = require('node:child_process');
  const { spawn } = processes;
  const dist = join(vscode.extensions.getExtension('harness.harness-agent')?.extensionPath ?? '', 'dist');
  const started: string[] = [];
  const spy = (...[file, ...rest]: Parameters<typeof spawn>) => {
    if (new Error().stack?.includes(dist)) started.push(file);
    return spawn(file, ...rest);
  };
  const put = (function_: typeof spawn) => {
    Object.assign(processes, { spawn: function_ });
    // What an ES module has imported by name changes only then.
    syncBuiltinESMExports();
  };
  put(spy as typeof spawn);
  try {
    await body();
  } finally {
    put(spawn);
  }
  return started;
}

test('in Restricted Mode a prompt is answered by an error that says what to do; nothing is sent, nothing started', () =>
  withClaude([call], async (claude) => {
    const started = await startedDuring(async () => {
      const { session, reason } = await vscode.commands.executeCommand<{ session: string; reason: string }>(
        'harness.ask',
        'Who am I?',
      );
      assert.equal(reason, 'error');
      const log = join(process.env.HARNESS_HOME ?? '', 'sessions', session, 'events.jsonl');
      assert.match(await readFile(log, 'utf8'), /"code":"untrusted".*Manage Workspace Trust/);
    });
    assert.deepEqual(claude.requests, []);
    assert.deepEqual(started, []);
  }));
