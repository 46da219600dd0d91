import type { Decision, Risk } from '../../protocol/events.ts';

/** A remembered answer. It covers exactly the actions whose `scope` equals its own (permission/scope.ts). */
export interface Policy {
  readonly decision: 'allow' | 'deny';
  readonly scope: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

/** `policies.json`, outside every workspace. */
export interface PolicyStore {
  /**
   * The policies of one scope; none without a scope. Undefined, with a warning, if the file cannot be read,
   * because the user's refusals are then unknown.
   */
  load(scope: string | undefined): Promise<readonly Policy[] | undefined>;
  add(policy: Policy): Promise<void>;
}

export interface AuditEntry {
  readonly timestamp: number;
  readonly session: string;
  readonly id: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly decision: Decision;
  readonly by: 'policy' | 'user' | 'mode';
  readonly rule: string;
  /** SHA-256 of the action. */
  readonly action: string;
  readonly title: string;
  readonly detail: string;
}

/**
 * `audit.jsonl`. Rejects if the entry could not be written. The caller must then run nothing that has an
 * effect. The log buffers the entry and writes it before the next one.
 */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}
