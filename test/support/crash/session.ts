// A session in a folder of its own: real files, processes, logs and rules; a scripted model and a person who allows everything.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSettings } from '../../../extension/core/loop/run-settings.ts';
import type { ModelProvider } from '../../../extension/core/ports/model.ts';
import { Session } from '../../../extension/core/session/session.ts';
import type { SessionPorts } from '../../../extension/core/session/session-ports.ts';
import { compose } from '../../../extension/headless/compose.ts';
import type { JsonlSessionStore } from '../../../extension/node/jsonl-session-store.ts';
import { JsonlAuditLog } from '../../../extension/node/policy-files.ts';
import { NodeWorkspaceScan } from '../../../extension/node/scan/node-workspace-scan.ts';
import type { PermissionMode } from '../../../extension/protocol/messages.ts';
import { FILES } from './work.ts';

/** Of the folder that a test has for this. */
export const places = (folder: string) => ({
  root: join(folder, 'workspace'),
  home: join(folder, 'home'),
  /** Nobody may touch it. */
  canary: join(folder, 'canary.txt'),
});

/** In the environment of the process that works; nothing of Harness may write it down. */
export const SECRET = 'sk-canary-0123456789abcdef';

export async function prepare(folder: string): Promise<void> {
  const { root, home, canary } = places(folder);
  await Promise.all([mkdir(root), mkdir(home), writeFile(canary, 'canary\n')]);
  for (const [name, content] of Object.entries(FILES)) await writeFile(join(root, name), content);
}

export interface Workplace {
  readonly ports: SessionPorts;
  readonly store: JsonlSessionStore;
  close(): Promise<void>;
}

let last: Promise<unknown> = Promise.resolve();

/** As the command line is composed, but for the person. One after the other, since the environment says where its files are. */
export function openWorkplace(folder: string, mode: PermissionMode = 'ask'): Promise<Workplace> {
  const opened = last.then(async () => {
    const { root, home } = places(folder);
    process.env.HARNESS_HOME = home;
    const { ports, sessions } = await compose(root, mode);
    const approver = { ask: async () => ({ decision: 'allow_once' }) as const };
    const close = async () => {
      if (ports.scan instanceof NodeWorkspaceScan) await ports.scan.close();
      if (ports.audit instanceof JsonlAuditLog) await ports.audit.close();
    };
    return { ports: { ...ports, approver }, store: sessions(), close };
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

export async function createSession({ store, ports }: Workplace, folder: string): Promise<Session> {
  return Session.open(await store.create({ cwd: places(folder).root, product: 'test' }), ports);
}
