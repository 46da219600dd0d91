import type { ActionView, Decision, Risk } from '../../protocol/events.ts';

/** A file before and after the proposed change; null where there is no file. */
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
  /** Each file that would change, if it can be previewed. */
  readonly previews: readonly Preview[];
  /**
   * Present if the call asks the user a question, which is the title of `action`. These are the suggested
   * answers; the user may give another one.
   */
  readonly options?: readonly string[] | undefined;
}

/** The action of a call that only asks the user. */
export function questionView(question: string): ActionView {
  return { title: question, detail: '', warnings: [] };
}

/** Asks the user. Resolves with `deny` if no user can be asked or the signal is aborted. Never rejects. */
export interface Approver {
  ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer>;
}

export interface Answer {
  readonly decision: Decision;
  /** The answer to a question, with `allow_once`. */
  readonly text?: string | undefined;
  /** The reason, if the user did not choose: "no terminal to ask on". */
  readonly reason?: string | undefined;
  /** Why the user denies the call, in their own words. */
  readonly userReason?: string | undefined;
}
