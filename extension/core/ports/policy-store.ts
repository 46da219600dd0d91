import type { Decision, Risk } from '../../protocol/events.ts';

/** A remembered answer. It covers exactly the actions whose `scope` is equal to its own (permission/scope.ts). */
export interface Policy {
  readonly decision: 'allow' | 'deny';
  readonly scope: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
}

/** `policies.json`, outside every workspace. */
export interface PolicyStore {
  /**
   * Those of one scope; none where there is no scope. Undefined, with a warning, where the file cannot be read: then nobody
   * knows what the user has refused.
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

/** `audit.jsonl`. Rejects where the entry could not be written: then nothing that has an effect may run, and the entry is held and written before the next one. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}
