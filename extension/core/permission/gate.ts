// The one gate for side effects. Every tool call passes it with its resolved action. Every decision is an
// event and a line in the audit log.
import type { Decision, EventDraft, EventOf } from '../../protocol/events.ts';
import type { PermissionMode } from '../../protocol/messages.ts';
import { say } from '../../protocol/say.ts';
import { ToolError } from '../base/tool-error.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type { Answer, Approver, Preview } from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { AuditEntry, AuditLog, PolicyStore } from '../ports/policy-store.ts';
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

type Settled = Pick<EventOf<'permission'>, 'decision' | 'by' | 'rule'> & {
  readonly asked: boolean;
  /** For the model, if the call was denied. */
  readonly reason: string;
};

const DENIED = 'denied by the user; ask what they want instead, or go on without it';

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
  readonly #granted = new Set<string>();
  /** The session's log says that the audit log cannot be written. */
  #isLossReported = false;

  constructor(session: string, writer: LogWriter, ports: GatePorts) {
    this.#session = session;
    this.#writer = writer;
    this.#ports = ports;
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
    const settled = await this.#settle(call, scope, signal);
    const hash = hashAction(call.action);
    // The user has not decided. The call's result voids the request.
    if (settled.asked && signal.aborted) return { allowed: false, asked: true, reason: settled.reason, hash };
    const { asked, reason, ...verdict } = settled;
    const record = { id: call.id, tool: call.tool, risk: riskOf(call.action), ...verdict, action: hash };
    const { title, detail } = describeAction(call.action, scope, roots);
    const entry = { title, detail, timestamp: this.#ports.clock.now(), session: this.#session };
    await this.#writeDown({ ...record, ...entry }, call.action);
    this.#writer.stage({ type: 'permission', ...record });
    await this.#remember(settled.decision, settled.by, scope);
    return { allowed: settled.decision !== 'deny', asked, reason, hash };
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
    });
    if (verdict.decision === 'deny') {
      return { ...verdict, decision: 'deny', asked: false, reason: `denied: ${verdict.rule}` };
    }
    if (verdict.decision === 'allow') {
      // Without a question, only an earlier answer in this session is the user's.
      const decision = verdict.by === 'user' ? 'allow_session' : 'allow_once';
      return { ...verdict, decision, asked: false, reason: '' };
    }
    const answer = await this.#ask(call, scope, signal);
    return {
      decision: scope || answer.decision === 'deny' ? answer.decision : 'allow_once',
      by: 'user',
      rule: verdict.rule,
      asked: true,
      reason: answer.reason ? `denied: ${answer.reason}` : DENIED,
    };
  }

  async #ask(call: GatedCall, scope: Scope | undefined, signal: AbortSignal): Promise<Answer> {
    const { id, tool, previews } = call;
    const risk = riskOf(call.action);
    const action = describeAction(call.action, scope, this.#ports.workspace.roots);
    await this.#writer.append({ type: 'permission_request', id, tool, risk, action });
    return this.#ports.approver.ask({ id, session: this.#session, tool, risk, action, previews }, signal);
  }

  async #remember(decision: Decision, by: Settled['by'], scope: Scope | undefined): Promise<void> {
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
