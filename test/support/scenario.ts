import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { createContextSource, type Surroundings } from '../../extension/core/context/context-source.ts';
import type { RunSettings } from '../../extension/core/loop/run-settings.ts';
import type { Answer, ApprovalRequest, Approver } from '../../extension/core/ports/approver.ts';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import type { ModelEvent, ModelProvider, StopReason } from '../../extension/core/ports/model.ts';
import type { SessionLog } from '../../extension/core/ports/session-store.ts';
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { SecretFilter } from '../../extension/core/secrets/secret-filter.ts';
import type { Session } from '../../extension/core/session/session.ts';
import type { SessionPorts } from '../../extension/core/session/session-ports.ts';
import { allTools } from '../../extension/core/tools/all-tools.ts';
import { guardedFiles } from '../../extension/node/fs/guarded-files.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { NodeBackground } from '../../extension/node/processes/node-background.ts';
import { NodeShell } from '../../extension/node/processes/node-shell.ts';
import { NodeWorkspaceScan } from '../../extension/node/scan/node-workspace-scan.ts';
import type { ScanLimits } from '../../extension/node/scan/report-differences.ts';
import { findRipgrep } from '../../extension/node/search/ripgrep-path.ts';
import { createSearch } from '../../extension/node/search/ripgrep-search.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { outputFilesIn } from '../../extension/node/sessions/output-files.ts';
import { JsonlAuditLog, JsonPolicyStore } from '../../extension/node/settings/policy-files.ts';
import { NodeWorkspace } from '../../extension/node/workspace.ts';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import type { PermissionMode } from '../../extension/protocol/messages.ts';
import { knowing } from './knowing-tools.ts';
import { recordedSession } from './recorded.ts';
import { tempDir } from './temp-dir.ts';

export interface Scenario {
  readonly session: Session;
  readonly ports: SessionPorts;
  readonly store: JsonlSessionStore;
  /** The workspace folder. */
  readonly root: string;
  readonly clock: ManualClock;
  readonly asked: ApprovalRequest[];
  readonly deltas: Delta[];
  readonly logged: string[];
  /** Opens another session with the same ports, recorded too. */
  openLog(log: SessionLog, changes?: Partial<SessionPorts>): Promise<Session>;
  settings(provider: ModelProvider, changes?: Partial<RunSettings>): () => Promise<RunSettings>;
  setMode(mode: PermissionMode): void;
}

export interface ScenarioOptions {
  readonly mode?: PermissionMode;
  readonly trusted?: boolean;
  /** How a person answers; `allow_once` unless told. */
  readonly answer?: (request: ApprovalRequest, signal: AbortSignal) => Promise<Answer> | Answer;
  readonly scanLimits?: Partial<ScanLimits>;
  /** What restores write to; the disk unless told. */
  readonly files?: FileTree;
  /** The model is told of its surroundings, as by the editor and the command line. */
  readonly tellsContext?: boolean;
  /** What the model learns of the repository and the editor. */
  readonly sees?: Pick<Surroundings, 'git' | 'editor'>;
  readonly promptContext?: NonNullable<SessionPorts['promptContext']>;
  /** The model must read a file before it writes over it, or names its lines. */
  readonly readsFirst?: true;
  /** Background commands end when their session closes; they do unless told. */
  readonly endsOnLeave?: boolean;
  /** Keys that are known. */
  readonly secrets?: readonly string[];
}

/** A session with a scripted person and clock, and real files, processes and logs. */
export async function scenario(options: ScenarioOptions = {}): Promise<Scenario> {
  const folder = await tempDir();
  const root = join(folder, 'workspace');
  const home = join(folder, 'home');
  await Promise.all([mkdir(root), mkdir(home)]);
  const clock = new ManualClock(1_000);
  const asked: ApprovalRequest[] = [];
  const logged: string[] = [];
  let mode = options.mode ?? 'ask';
  const logger = {
    warn: (message: string) => logged.push(message),
    error: (message: string) => logged.push(message),
  };
  const approver: Approver = {
    ask: async (request, signal) => {
      asked.push(request);
      return (await options.answer?.(request, signal)) ?? { decision: 'allow_once' };
    },
  };
  const workspace = new NodeWorkspace(
    [{ name: 'workspace', path: root }],
    createSearch({ ripgrepPath: await findRipgrep() }),
  );
  if (options.trusted === false) workspace.trusted = () => false;
  const audit = new JsonlAuditLog(join(home, 'audit.jsonl'));
  const background = new NodeBackground({ endsOnLeave: options.endsOnLeave ?? true });
  const surroundings = {
    workspace,
    shell: new NodeShell({ background }),
    clock,
    mode: () => mode,
    home,
  };
  const scan = new NodeWorkspaceScan({
    roots: () => [root],
    home,
    ...(options.scanLimits && { limits: () => options.scanLimits ?? {} }),
  });
  const ports: SessionPorts = {
    ...surroundings,
    approver,
    policies: new JsonPolicyStore(join(home, 'policies.json'), logger),
    audit,
    logger,
    tools: options.readsFirst ? allTools : knowing(allTools),
    files: guardedFiles(options.files ?? nodeFileTree, () => [root]),
    scan,
    background,
    outputs: outputFilesIn(join(home, 'sessions')),
    random: () => 0.5,
    ...(options.tellsContext && {
      context: createContextSource({ ...surroundings, platform: 'linux', ...options.sees }),
    }),
    ...(options.secrets && { secrets: new SecretFilter(options.secrets) }),
    ...(options.promptContext && { promptContext: options.promptContext }),
  };
  const sessions = join(home, 'sessions');
  const store = new JsonlSessionStore(sessions, clock);
  // A test may have left a disk that takes nothing.
  onTestFinished(() => audit.close().catch(() => undefined));
  onTestFinished(() => scan.close());
  const openLog: Scenario['openLog'] = (log, changes) =>
    recordedSession(log, { ...ports, ...changes }, sessions);
  const session = await openLog(await store.create({ cwd: root, product: 'test' }));
  const deltas: Delta[] = [];
  session.subscribe({ onDelta: (delta) => deltas.push(delta) });
  return {
    session,
    openLog,
    ports,
    store,
    root,
    clock,
    asked,
    deltas,
    logged,
    settings: (provider, changes) => async () => ({ ...SETTINGS, provider, ...changes }),
    setMode: (next) => {
      mode = next;
    },
  };
}

const SETTINGS: Omit<RunSettings, 'provider'> = {
  model: 'scripted',
  system: 'Work.',
  maxTokens: 4096,
  maxTurns: 10,
  maxToolCallsPerTurn: 15,
  timeoutMs: 30_000,
};

/** A reply that says something. */
export function says(text: string, stop: StopReason = 'end'): ModelEvent[] {
  return [
    { type: 'text_delta', text },
    { type: 'text', text },
    { type: 'done', stop },
  ];
}

/** A reply that calls tools; ids are `call_1`, `call_2` … from `first`. */
export function calls(
  first: number,
  ...wanted: readonly (readonly [name: string, input: Record<string, unknown>])[]
): ModelEvent[] {
  return [
    ...wanted.map(
      ([name, input], index) => ({ type: 'tool_call', id: `call_${first + index}`, name, input }) as const,
    ),
    { type: 'done', stop: 'tool_calls' },
  ];
}

/** What must hold of every log, whatever happened. */
export function expectWellFormed(events: readonly SessionEvent[]): void {
  expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
  const count = (type: SessionEvent['type']) => events.filter((event) => event.type === type).length;
  expect(count('turn_ended'), 'one turn_ended per turn_started').toBe(count('turn_started'));
  expect(count('request_ended'), 'one request_ended per request_started').toBe(count('request_started'));
  const called = events.filter((event) => event.type === 'tool_call').map((event) => event.id);
  const answered = events.filter((event) => event.type === 'tool_result').map((event) => event.id);
  expect(answered.sort(), 'each call has exactly one result').toEqual(called.sort());
  const started = events.filter((event) => event.type === 'tool_started').map((event) => event.id);
  const allowed = events.filter((event) => event.type === 'permission' && event.decision !== 'deny');
  expect(
    started.every((id) => allowed.some((event) => 'id' in event && event.id === id)),
    'nothing ran unasked',
  ).toBe(true);
}

/** Events as lines that are the same in every run. */
export function golden(events: readonly SessionEvent[], root: string): string {
  const lines = events.map(({ seq: _, prev: _prev, timestamp: _time, session: _session, ...event }) =>
    JSON.stringify(event, (key, value: unknown) => (key === 'milliseconds' ? 0 : value))
      .replaceAll(root, '<root>')
      .replace(/\b[0-9a-f]{64}\b/g, '<hash>'),
  );
  return `${lines.join('\n')}\n`;
}
