import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedReply } from '../../../scripts/lib/claude/anthropic-script.ts';
import { withClaude } from './claude.ts';
import { withUserSetting } from './files.ts';
import { eventually, test } from './runner.ts';

const FOLDER = join(process.env.HARNESS_HOME ?? '', 'traces');
// Of `withClaude`.
const KEY = 'sk-ant-of-a-test';

const says = (text: string): ScriptedReply => ({ blocks: [{ type: 'text', text }] });

async function logs(): Promise<string[]> {
  const names = await readdir(FOLDER).catch(() => []);
  return Promise.all(names.sort().map((name) => readFile(join(FOLDER, name), 'utf8')));
}

const isWhole = (log: string | undefined) => log?.includes('"type":"turn_end"') ?? false;

test('trace: off, nothing is written; on, each turn is, without the key, from the next turn on', () =>
  withClaude([says('One.'), says('Two.'), says('Three.')], async () => {
    const ask = (prompt: string) => vscode.commands.executeCommand('harness.ask', prompt);
    await vscode.commands.executeCommand('harness.newSession');
    await ask('Quietly');
    assert.deepEqual(await logs(), []);
    await withUserSetting('harness.trace', 'events', async () => {
      await ask('With events');
      await eventually('the turn is written', async () => isWhole((await logs())[0]));
    });
    await withUserSetting('harness.trace', 'wire', async () => {
      await ask(`My key is ${KEY}.`);
      await eventually('the turn is written with its wire', async () => isWhole((await logs())[1]));
    });
    const [events = '', wire = ''] = await logs();
    assert.match(events, /"kind":"text","text":"Two\."/);
    assert.doesNotMatch(events, /"type":"(request|wire)"/);
    assert.match(wire, /"type":"request"/);
    assert.match(wire, /"type":"wire","text":"event: message_start/);
    assert.doesNotMatch(events + wire, new RegExp(KEY));
  }));
