import type { ActionView, Decision, Risk } from '../../protocol/events.ts';

/** A file before and after the change that is asked about; `before` is null for a new file. */
export interface Preview {
  /** Absolute. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string;
}

export interface ApprovalRequest {
  /** The tool call's id. */
  readonly id: string;
  readonly session: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly action: ActionView;
  /** Present for `write` and `edit`. */
  readonly preview?: Preview | undefined;
}

/** Asks a person. Resolves with `deny` where nobody can be asked, and when the signal is aborted; never rejects. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer>;
}

export interface Answer {
  readonly decision: Decision;
  /** Why, where it was not a person's choice: "no terminal to ask on". */
  readonly reason?: string | undefined;
}
