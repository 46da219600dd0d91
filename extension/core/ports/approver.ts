import type { ActionView, Decision, Risk } from '../../protocol/events.ts';

/** A file before and after the change that is asked about; null where there is none. */
export interface Preview {
  /** Absolute. */
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

export interface ApprovalRequest {
  /** The tool call's id. */
  readonly id: string;
  readonly session: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly action: ActionView;
  /** Of each file that would be changed, as far as it can be shown. */
  readonly previews: readonly Preview[];
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
