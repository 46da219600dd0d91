import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import type { Logger } from '../../../extension/core/ports/logger.ts';
import type { ModelEvent } from '../../../extension/core/ports/model.ts';
import type { SessionLog, SessionStore } from '../../../extension/core/ports/session-store.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import type { SessionPorts } from '../../../extension/core/session/session-ports.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../../../extension/node/settings/policy-files.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import type { OpenSession } from '../../../extension/vscode/sessions/open-session.ts';
import { PromptQueue } from '../../../extension/vscode/sessions/prompt-queue.ts';
import { PromptSender } from '../../../extension/vscode/sessions/prompt-sender.ts';
import { SessionController } from '../../../extension/vscode/sessions/session-controller.ts';
import { SessionRecordings } from '../../../extension/vscode/sessions/session-recordings.ts';
import { SessionRegistry } from '../../../extension/vscode/sessions/session-registry.ts';
import { makeOutsideFolder, workspace } from './files.ts';

/** A whole reply. */
export const hello: readonly ModelEvent[] = [
  { type: 'text', text: 'Hello.' },
  { type: 'done', stop: 'end' },
];

const settings = async (model = new ScriptedModel(hello)): Promise<RunSettings> => ({
  provider: model,
  model: 'scripted',
  system: 'Work.',
  maxTokens: 4096,
  maxTurns: 10,
  maxToolCallsPerTurn: 15,
  timeoutMs: 30_000,
});

/** What decides what a panel shows, with a store that has `log` alone. */
export async function makeManager(
  log: SessionLog,
  {
    shown = '',
    warn = assert.fail,
    error = assert.fail,
    model,
    isRecorded = false,
    ...stored
  }: Partial<SessionStore & Logger> & {
    shown?: string;
    model?: ScriptedModel;
    isRecorded?: boolean;
  } = {},
): Promise<{ sessions: SessionController; open: SessionRegistry; saved: string[] }> {
  const home = await makeOutsideFolder();
  await mkdir(join(home, 'session-1'));
  const logger = { warn, error };
  const noSession = () => Promise.reject(new Error('not part of this test'));
  const store = {
    create: async () => log,
    fork: noSession,
    open: noSession,
    read: noSession,
    follow: noSession,
    stream: () => assert.fail('not part of this test'),
    readEnd: noSession,
    list: noSession,
    blobs: () => new MemoryBlobStore(),
    ...stored,
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
    new PromptSender({
      session,
      queue: new PromptQueue(home, assert.fail),
      remember: async () => {},
      changed: () => {},
      warn: assert.fail,
    });
  const recordings = new SessionRecordings({ sessions: home, product: 'test', isWanted: () => isRecorded });
  const options = { store, ports, recordings, product: 'test', prompts };
  const open = new SessionRegistry({ ...options, settings: () => settings(model) });
  const saved: string[] = [];
  const current = { load: async () => shown, save: async (id: string) => void saved.push(id) };
  return { open, saved, sessions: new SessionController({ open, store, current, logger }) };
}
