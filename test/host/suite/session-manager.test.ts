import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import type { SessionLog } from '../../../extension/core/ports/event-store.ts';
import { MemorySessionLog } from '../../../extension/core/ports/memory-session-log.ts';
import { ScriptedModel } from '../../../extension/core/ports/scripted-model.ts';
import type { SessionPorts } from '../../../extension/core/session/session.ts';
import { NodeShell } from '../../../extension/node/node-shell.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../../../extension/node/policy-files.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import type { OpenSession } from '../../../extension/vscode/open-session.ts';
import { OpenSessions } from '../../../extension/vscode/open-sessions.ts';
import { PromptQueue } from '../../../extension/vscode/prompt-queue.ts';
import { Prompts } from '../../../extension/vscode/prompts.ts';
import { SessionManager } from '../../../extension/vscode/session-manager.ts';
import { workspace } from './files.ts';
import { test } from './runner.ts';

/** A log that takes so many batches of events and then no more, until there is `room`. */
class FullLog extends MemorySessionLog implements SessionLog {
  room = Number.POSITIVE_INFINITY;

  override async append(...args: Parameters<SessionLog['append']>): Promise<readonly SessionEvent[]> {
    this.room -= 1;
    if (this.room < 0) throw new Error('The session log could not be written: ENOSPC');
    return super.append(...args);
  }
}

const settings = async (): Promise<RunSettings> => ({
  provider: new ScriptedModel([
    { type: 'text', text: 'Hello.' },
    { type: 'done', stop: 'end' },
  ]),
  model: 'scripted',
  system: 'Work.',
  maxTokens: 4096,
  maxTurns: 10,
  maxToolCallsPerTurn: 15,
  timeoutMs: 30_000,
});

async function makeManager(log: SessionLog): Promise<SessionManager> {
  const home = await mkdtemp(join(tmpdir(), 'harness-manager-'));
  const logger = { warn: assert.fail, error: assert.fail };
  const noSession = () => Promise.reject(new Error('not part of this test'));
  const store = {
    create: async () => log,
    fork: noSession,
    open: noSession,
    read: noSession,
    list: noSession,
  };
  const ports: SessionPorts = {
    workspace,
    shell: new NodeShell(),
    approver: { ask: async () => ({ decision: 'deny' }) },
    policies: new JsonPolicyStore(join(home, 'policies.json'), logger),
    audit: new JsonlAuditLog(join(home, 'audit.jsonl')),
    clock: systemClock,
    mode: () => 'ask',
    home,
    logger,
    tools: [],
    random: () => 0.5,
  };
  const prompts = (session: OpenSession) =>
    new Prompts({
      session,
      queue: new PromptQueue(home, assert.fail),
      remember: async () => {},
      changed: () => {},
      warn: assert.fail,
    });
  const open = new OpenSessions({ store, ports, product: 'test', settings, prompts });
  return new SessionManager({
    open,
    store,
    current: { load: async () => '', save: async () => {} },
    logger,
  });
}

const say = async (sessions: SessionManager, text: string) => (await sessions.begin()).prompt(text, []);
const kinds = (events: readonly SessionEvent[]) => events.map(({ type, seq }) => `${seq} ${type}`);

test('sessions: where the log cannot be written, whoever follows hears that the run is over, once', async () => {
  const log = new FullLog('session-1', systemClock);
  const sessions = await makeManager(log);
  const heard: SessionEvent[] = [];
  sessions.subscribe({ onEvents: (events) => heard.push(...events) });
  log.room = 3;
  await assert.rejects(say(sessions, 'Hello?'), /ENOSPC/);
  assert.equal(sessions.busy, false);
  assert.deepEqual(
    heard.slice(-3).map(({ type }) => type),
    ['error', 'status', 'turn_ended'],
  );
  assert.deepEqual(kinds(sessions.events).slice(1), kinds(heard));
  await assert.rejects(say(sessions, 'Hello??'), /ENOSPC/);
  assert.deepEqual(kinds(sessions.events).slice(1), kinds(heard));
  log.room = Number.POSITIVE_INFINITY;
  assert.equal((await say(sessions, 'Hello???')).reason, 'done');
  assert.deepEqual(kinds(sessions.events).slice(1), kinds(heard));
  assert.deepEqual(
    heard.map(({ seq }) => seq),
    heard.map((_, index) => index + 2),
  );
  sessions.dispose();
});
