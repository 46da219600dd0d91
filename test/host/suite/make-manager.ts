import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionFeed } from '../../../extension/app/feed/session-feed.ts';
import { PromptQueue } from '../../../extension/app/prompts/prompt-queue.ts';
import { PromptSender } from '../../../extension/app/prompts/prompt-sender.ts';
import { SessionRecordings } from '../../../extension/app/recordings/session-recordings.ts';
import type { OpenSession } from '../../../extension/app/sessions/open-session.ts';
import { SessionController } from '../../../extension/app/sessions/session-controller.ts';
import { SessionRegistry } from '../../../extension/app/sessions/session-registry.ts';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import type { Logger } from '../../../extension/core/ports/logger.ts';
import type { ModelEvent } from '../../../extension/core/ports/model.ts';
import type { SessionLog, SessionStore } from '../../../extension/core/ports/session-store.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import type { SessionPorts } from '../../../extension/core/session/session-ports.ts';
import { queueFiles } from '../../../extension/node/composer/draft-files.ts';
import { NodeShell } from '../../../extension/node/processes/node-shell.ts';
import { recordingsIn } from '../../../extension/node/recording/recording-file.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../../../extension/node/settings/policy-files.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { notices } from '../../../extension/vscode/base/localize.ts';
import { localization } from '../../../extension/vscode/sessions/localization.ts';
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
      queue: new PromptQueue(queueFiles(home), assert.fail),
      remember: async () => {},
      changed: () => {},
      warn: assert.fail,
    });
  const recordings = new SessionRecordings({
    openFile: recordingsIn(home, 'test'),
    clock: systemClock,
    isWanted: () => isRecorded,
  });
  const options = { store, ports, recordings, product: 'test', prompts, feed: new SessionFeed(localization) };
  const open = new SessionRegistry({ ...options, settings: () => settings(model) });
  const saved: string[] = [];
  const current = { load: async () => shown, save: async (id: string) => void saved.push(id) };
  return {
    open,
    saved,
    sessions: new SessionController({ open, store, current, logger, notices }),
  };
}
