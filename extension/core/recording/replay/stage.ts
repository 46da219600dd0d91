// Runs the session of a replay. It has no ports but those that the replay answers.
import type { EventDraft } from '../../../protocol/events.ts';
import type { PermissionMode } from '../../../protocol/messages.ts';
import type { RestoreRequest } from '../../checkpoints/restore/restore.ts';
import type { SessionListener } from '../../log/log-writer.ts';
import type { CallAction } from '../../loop/running-calls.ts';
import type { Clock } from '../../ports/clock.ts';
import type { FileTree } from '../../ports/file-tree.ts';
import type { LanguageServers } from '../../ports/language-servers.ts';
import type { WorkspaceScan } from '../../ports/workspace-scan.ts';
import type { Session } from '../../session/session.ts';
import type { SessionPorts } from '../../session/session-ports.ts';
import type { SessionInput } from '../../session/session-tap.ts';
import type { EntryOf, Opening } from '../entry.ts';
import { neverCalled, nothing } from '../port-interceptor.ts';
import { NO_BACKGROUND, NO_OUTPUTS } from '../ports/background.ts';

/** The session of a replay, and the inputs that its users made. */
export class Stage {
  #session: Session | undefined;
  /**
   * The last error of the session or of an input. The recorded session may have had the same error. If not,
   * the error explains the divergence.
   */
  failure: unknown;
  readonly #withdrawals = new Map<number, AbortController>();

  open(opened: Promise<Session>, listener: SessionListener | undefined): void {
    opened.then(
      (session) => {
        this.#session = session;
        if (listener) session.subscribe(listener);
      },
      (error: unknown) => {
        this.failure = error;
      },
    );
  }

  /** Repeats an input. Its result is in the log, even if the session rejects the input. */
  perform({ name, id }: EntryOf<'input'>, given: readonly unknown[]): void {
    if (!this.#session) return;
    this.#act(this.#session, name, id, given).catch((error: unknown) => {
      this.failure = error;
    });
  }

  async #act(session: Session, name: SessionInput, id: number, given: readonly unknown[]): Promise<unknown> {
    // The recording has the arguments of the session's method.
    const [text = '', other] = given as [string?, unknown?];
    switch (name) {
      case 'prompt':
        return session.prompt(text, neverCalled, other as readonly string[]);
      case 'steer':
        return session.steer(text, this.#withdrawal(id), other as readonly string[]);
      case 'withdraw':
        return this.#withdrawals.get(Number(given[0]))?.abort();
      case 'note':
        return session.note(text, String(other));
      case 'rename':
        return session.rename(text);
      case 'record':
        return session.record(...(given[0] as readonly EventDraft[]));
      case 'planRestore':
        return session.planRestore(Number(given[0]));
      case 'restore':
        return session.restore(given[0] as Omit<RestoreRequest, 'id'>);
      case 'actOnCall':
        return session.actOnCall(text, other as CallAction);
      case 'stopBackground':
        return session.stopBackground(text);
      case 'keepBackground':
        return session.keepBackground(text, other === true);
      case 'compact':
      case 'continue':
        return session[name](neverCalled);
      case 'cancel':
      case 'endBackground':
      case 'reportBackground':
      case 'retryNow':
      case 'close':
        return session[name]();
    }
  }

  #withdrawal(id: number): AbortSignal {
    const controller = new AbortController();
    this.#withdrawals.set(id, controller);
    return controller.signal;
  }
}

/**
 * Ports that are never called, because the replay answers in their place. Optional ports that the recorded
 * session did not have are absent.
 */
export function portsOf(
  { home, has }: Opening,
  { tools, secrets }: Pick<SessionPorts, 'tools' | 'secrets'>,
): SessionPorts {
  const each = <Name extends keyof SessionPorts>(name: Name, port: SessionPorts[Name]) =>
    has.includes(name) ? { [name]: port } : {};
  return {
    home,
    tools,
    ...(secrets && { secrets }),
    workspace: {
      roots: [],
      trusted: () => false,
      stat: neverCalled,
      realpath: neverCalled,
      read: neverCalled,
      stream: nothing,
      list: neverCalled,
      tree: neverCalled,
      search: neverCalled,
      find: neverCalled,
      near: neverCalled,
      apply: neverCalled,
    },
    shell: { description: '', run: neverCalled },
    clock: STILL_CLOCK,
    approver: { ask: neverCalled },
    policies: { load: neverCalled, add: neverCalled },
    audit: { append: neverCalled },
    mode: (): PermissionMode => 'ask',
    random: () => 0,
    logger: { warn: () => {}, error: () => {} },
    ...each('context', neverCalled),
    ...each('promptContext', { contextOf: neverCalled }),
    ...each('attachments', { read: neverCalled, keep: neverCalled }),
    ...each('files', NO_FILES),
    ...each('scan', NO_SCAN),
    ...each('editors', { watch: () => neverCalled }),
    ...each('languageServers', NO_SERVERS),
    ...each('background', NO_BACKGROUND),
    ...each('outputs', () => NO_OUTPUTS),
  };
}

const NO_FILES: FileTree = {
  look: neverCalled,
  names: neverCalled,
  read: neverCalled,
  write: neverCalled,
  link: neverCalled,
  makeDirectory: neverCalled,
  setMode: neverCalled,
  remove: neverCalled,
  tidy: neverCalled,
};

const NO_SERVERS: LanguageServers = {
  problems: neverCalled,
  watch: () => neverCalled,
  places: neverCalled,
  hover: neverCalled,
  symbols: neverCalled,
  rename: neverCalled,
};

const NO_SCAN: WorkspaceScan = {
  absorb: neverCalled,
  begin: neverCalled,
  resume: neverCalled,
};

export const STILL_CLOCK: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: neverCalled,
  yield: neverCalled,
};
