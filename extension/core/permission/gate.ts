// The one gate for side effects. Every tool call passes it with its resolved action. Every decision is an
// event and a line in the audit log.
import type { EventDraft, EventOf } from '../../protocol/events.ts';
import type { PermissionMode } from '../../protocol/messages.ts';
import { say } from '../../protocol/say.ts';
import { ToolError } from '../base/tool-error.ts';
import type { LogWriter } from '../log/log-writer.ts';
import { type Answer, type Approver, type Preview, questionView } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { AuditEntry, AuditLog, PolicyStore } from '../ports/policy-store.ts';
import type { SessionOutputs } from '../ports/session-outputs.ts';
import type { Workspace } from '../ports/workspace.ts';
import { type Action, hashAction } from './action.ts';
import { describeAction } from './describe-action.ts';
import { evaluate } from './evaluate.ts';
import { riskOf } from './risk.ts';
import { type Scope, scopeOf } from './scope.ts';

export interface GatePorts {
  readonly workspace: Workspace;
  readonly approver: Approver;
  readonly policies: PolicyStore;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** Read at each decision, since the user can change the mode during a run. */
  readonly mode: () => PermissionMode;
  /** Harness's own folder, absolute, links resolved. */
  readonly home: string;
  /** By the id of the session. Without this port, long outputs are not kept. */
  readonly outputs?: (session: string) => SessionOutputs;
}

export interface GatedCall {
  readonly id: string;
  readonly tool: string;
  readonly action: Action;
  readonly previews: readonly Preview[];
}

export interface Authorization {
  readonly allowed: boolean;
  /** The user was asked, so time has passed since the action was prepared. */
  readonly asked: boolean;
  /** For the model, if the call was denied. */
  readonly reason: string;
  /** SHA-256 of the action that was allowed. */
  readonly hash: string;
}

export interface UserQuestion {
  readonly question: string;
  /** The suggested answers. */
  readonly options: readonly string[];
}

type FinalVerdict = Pick<EventOf<'permission'>, 'decision' | 'by' | 'rule' | 'reason'>;

interface Settled {
  readonly verdict: FinalVerdict;
  readonly asked: boolean;
  /** For the model, if the call was denied. */
  readonly denial: string;
}

const DENIED =
  'denied by the user, without a reason; do not try to reach the same by another way: ask what they want instead';

/** For the model, if `answer` is a denial. */
function denialOf({ reason, userReason }: Answer): string {
  if (reason) return `denied: ${reason}`;
  return userReason ? `denied by the user: ${userReason}` : DENIED;
}

const UNANSWERED = 'decide it yourself and say what you assumed, or stop and say what you need';

function auditLost(reason: string): EventDraft {
  const message = say(
    'Harness cannot write the audit log: {0.}. Until it can, it runs nothing that makes changes.',
    reason,
  );
  return { type: 'error', code: 'audit', message, retryable: false };
}

export class Gate {
  readonly #ports: GatePorts;
  readonly #session: string;
  readonly #writer: LogWriter;
  readonly #outputs: string | undefined;
  readonly #granted = new Set<string>();
  /** The session's log says that the audit log cannot be written. */
  #isLossReported = false;

  constructor(session: string, writer: LogWriter, ports: GatePorts) {
    this.#session = session;
    this.#writer = writer;
    this.#ports = ports;
    this.#outputs = ports.outputs?.(session).folder;
  }

  /**
   * Decides on one call, by the rules or by asking the user. Rejects with `ToolError` if the decision could
   * not be recorded. Only a read may run without a record.
   */
  async authorize(call: GatedCall, signal: AbortSignal): Promise<Authorization> {
    const roots = this.#ports.workspace.roots;
    const scope = scopeOf(
      call.action,
      roots.map((root) => root.path),
    );
    const { verdict, asked, denial } = await this.#settle(call, scope, signal);
    const hash = hashAction(call.action);
    // The user has not decided. The call's result voids the request.
    if (asked && signal.aborted) return { allowed: false, asked: true, reason: denial, hash };
    const record = { id: call.id, tool: call.tool, risk: riskOf(call.action), ...verdict, action: hash };
    const { title, detail } = describeAction(call.action, scope, roots);
    const entry = { title, detail, timestamp: this.#ports.clock.now(), session: this.#session };
    await this.#writeDown({ ...record, ...entry }, call.action);
    this.#writer.stage({ type: 'permission', ...record });
    await this.#remember(verdict, scope);
    return { allowed: verdict.decision !== 'deny', asked, reason: denial, hash };
  }

  /**
   * Asks the user a question of the call. Resolves with the answer, or with the reason for the model why there
   * is none. Decides nothing, so the audit log has no line of it.
   */
  async askUser(
    { id, tool }: Pick<GatedCall, 'id' | 'tool'>,
    { question, options }: UserQuestion,
    signal: AbortSignal,
  ): Promise<{ readonly answer: string } | { readonly reason: string }> {
    await this.#writer.append({ type: 'question', id, question, options: [...options] });
    const about = { id, session: this.#session, tool, risk: 'safe', previews: [] } as const;
    const action = questionView(question);
    const { decision, text, reason } = await this.#ports.approver.ask({ ...about, action, options }, signal);
    if (decision !== 'deny' && text !== undefined) return { answer: text };
    return { reason: reason ? `not answered: ${reason}; ${UNANSWERED}` : `not answered; ${UNANSWERED}` };
  }

  async #writeDown(entry: AuditEntry, { kind }: Action): Promise<void> {
    try {
      await this.#ports.audit.append(this.#writer.withoutSecrets(entry));
      this.#isLossReported = false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!this.#isLossReported) await this.#writer.append(auditLost(reason));
      this.#isLossReported = true;
      if (kind === 'read') return;
      throw new ToolError(
        `not run: the decision could not be written to the audit log (${reason}); the user must fix that first`,
        { code: 'io' },
      );
    }
  }

  async #settle(call: GatedCall, scope: Scope | undefined, signal: AbortSignal): Promise<Settled> {
    const verdict = evaluate(call.action, scope, {
      mode: this.#ports.mode(),
      trusted: this.#ports.workspace.trusted(),
      policies: await this.#ports.policies.load(scope?.key),
      granted: this.#granted,
      home: this.#ports.home,
      outputs: this.#outputs,
    });
    const { rule } = verdict;
    if (verdict.decision !== 'ask') {
      // Without a question, only an earlier answer in this session is the user's.
      const allowed = verdict.by === 'user' ? 'allow_session' : 'allow_once';
      const decision = verdict.decision === 'deny' ? 'deny' : allowed;
      return { verdict: { decision, by: verdict.by, rule }, asked: false, denial: `denied: ${rule}` };
    }
    const answer = await this.#ask(call, scope, signal);
    const isDenied = answer.decision === 'deny';
    return {
      verdict: {
        decision: scope || isDenied ? answer.decision : 'allow_once',
        by: 'user',
        rule,
        ...(isDenied && answer.userReason && { reason: answer.userReason }),
      },
      asked: true,
      denial: denialOf(answer),
    };
  }

  async #ask(call: GatedCall, scope: Scope | undefined, signal: AbortSignal): Promise<Answer> {
    const { id, tool, previews } = call;
    const risk = riskOf(call.action);
    const action = describeAction(call.action, scope, this.#ports.workspace.roots);
    await this.#writer.append({ type: 'permission_request', id, tool, risk, action });
    return this.#ports.approver.ask({ id, session: this.#session, tool, risk, action, previews }, signal);
  }

  async #remember({ decision, by }: FinalVerdict, scope: Scope | undefined): Promise<void> {
    if (by !== 'user' || !scope) return;
    if (decision === 'allow_session') this.#granted.add(scope.key);
    if (decision === 'allow_always') {
      await this.#ports.policies.add({
        decision: 'allow',
        scope: scope.key,
        created: this.#ports.clock.now(),
      });
    }
  }
}
