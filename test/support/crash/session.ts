// A session in a folder of its own: real files, processes, logs and rules; a scripted model and a person who
// allows everything but one file.
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import type { Approver } from '../../../extension/core/ports/approver.ts';
import type { Logger } from '../../../extension/core/ports/logger.ts';
import type { ModelProvider } from '../../../extension/core/ports/model.ts';
import type { SessionLog } from '../../../extension/core/ports/session-store.ts';
import type { SessionPorts } from '../../../extension/core/session/session-ports.ts';
import { compose } from '../../../extension/headless/compose.ts';
import { NodeWorkspaceScan } from '../../../extension/node/scan/node-workspace-scan.ts';
import type { JsonlSessionStore } from '../../../extension/node/sessions/jsonl-session-store.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../../../extension/node/settings/policy-files.ts';
import type { PermissionMode } from '../../../extension/protocol/messages.ts';
import { knowing } from '../knowing-tools.ts';
import { FILES, LINK_TARGET, NOTES, SCRIPT_MODE } from './work.ts';

/** Of the folder that a test has for this. */
export const places = (folder: string) => ({
  root: join(folder, 'workspace'),
  home: join(folder, 'home'),
  sessions: join(folder, 'home', 'sessions'),
  notes: join(folder, NOTES),
  /** Nobody may touch it. */
  canary: join(folder, 'canary.txt'),
});

/** In the environment of the process that works; nothing of Harness may write it down. */
export const SECRET = 'sk-canary-0123456789abcdef';

export async function prepare(folder: string): Promise<void> {
  const { root, home, canary } = places(folder);
  await Promise.all([mkdir(root), mkdir(home), writeFile(canary, 'canary\n')]);
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(root, name), content);
  await chmod(join(root, 'run.sh'), SCRIPT_MODE);
  await symlink(LINK_TARGET, join(root, 'link'));
}

/** A person who takes `milliseconds` to decide. */
export const personWho = (milliseconds: number): Approver => ({
  ask: async ({ action }) => {
    if (milliseconds > 0) await sleep(milliseconds);
    return { decision: JSON.stringify(action).includes('denied.txt') ? 'deny' : 'allow_once' };
  },
});

export interface Workplace {
  readonly ports: SessionPorts;
  readonly store: JsonlSessionStore;
  close(): Promise<void>;
}

const SILENT: Logger = { warn() {}, error() {} };

let last: Promise<unknown> = Promise.resolve();

/** As the command line is composed, but for the person. One after the other, since the environment says where its files are. */
export function openWorkplace(folder: string, mode: PermissionMode = 'ask'): Promise<Workplace> {
  const opened = last.then(async () => {
    const { root, home } = places(folder);
    process.env.HARNESS_HOME = home;
    const { ports, sessions } = await compose(root, mode);
    const close = async () => {
      if (ports.scan instanceof NodeWorkspaceScan) await ports.scan.close();
      if (ports.audit instanceof JsonlAuditLog) await ports.audit.close();
    };
    const policies = new JsonPolicyStore(join(home, 'policies.json'), SILENT);
    const own = { approver: personWho(0), policies, logger: SILENT, tools: knowing(ports.tools) };
    return { ports: { ...ports, ...own }, store: sessions(), close };
  });
  last = opened.catch(() => undefined);
  return opened;
}

export const settingsWith = (provider: ModelProvider) => async (): Promise<RunSettings> => ({
  provider,
  model: 'scripted',
  system: 'Work.',
  maxTokens: 4096,
  maxTurns: 20,
  maxToolCallsPerTurn: 15,
  timeoutMs: 30_000,
});

/** The log of a new session. */
export function createLog({ store }: Workplace, folder: string): Promise<SessionLog> {
  return store.create({ cwd: places(folder).root, product: 'test' });
}
