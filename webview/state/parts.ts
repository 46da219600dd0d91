// What the panel shows of a session: a fold over its events, changed in place. It knows nothing of Solid or the page.
import type { ActionView, EndReason, EventOf, Risk, RunState } from '../../extension/protocol/events.ts';
import type { SplitText } from '../markdown/split-text.ts';
import type { LiveOutput } from './live-output.ts';

export type ToolState = 'pending' | 'running' | 'done' | 'error' | 'denied' | 'skipped' | 'cancelled';

export interface UserPart {
  readonly kind: 'user';
  readonly id: string;
  readonly content: string;
  readonly attachments: readonly string[];
}

export interface TextPart {
  readonly kind: 'text';
  readonly id: string;
  /** The request whose reply it belongs to. */
  readonly request: number;
  text: SplitText;
  open: boolean;
  /** The reply was cut here. */
  partial: boolean;
}

export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly request: number;
  text: SplitText;
  open: boolean;
  /** From the event before it to its end. */
  milliseconds: number;
}

export interface ToolPart {
  readonly kind: 'tool';
  /** The call's id. */
  readonly id: string;
  readonly request: number;
  readonly name: string;
  state: ToolState;
  /** Absent while the model is still writing the call. */
  input: Readonly<Record<string, unknown>> | undefined;
  /** Bytes of the input that have arrived so far. */
  receivedBytes: number;
  /** Why the model's arguments were refused. */
  invalid: string | undefined;
  permission: EventOf<'permission'> | undefined;
  output: LiveOutput;
  /** The tool's JSON; absent until it has ended. */
  result: string | undefined;
  added: number | undefined;
  removed: number | undefined;
  milliseconds: number | undefined;
}

export interface PlanPart {
  readonly kind: 'plan';
  readonly id: string;
  steps: EventOf<'plan'>['steps'];
}

export interface ErrorPart {
  readonly kind: 'error';
  readonly id: string;
  readonly message: string;
  readonly code: string;
  readonly retryable: boolean;
}

export interface NoticePart {
  readonly kind: 'notice';
  readonly id: string;
  readonly message: string;
  /** How the run ended, where that is what the notice tells. */
  readonly ended: EndReason | undefined;
}

export type Part = UserPart | TextPart | ReasoningPart | ToolPart | PlanPart | ErrorPart | NoticePart;

/** One line of the conversation: a part, or neighbouring tool parts of one kind. Never empty. */
export interface Row {
  parts: Part[];
}

/** A prompt and what follows it, or a piece of that if it is long. */
export interface Section {
  rows: Row[];
}

/** A call that waits for a person. */
export interface Approval {
  readonly id: string;
  readonly tool: string;
  readonly risk: Risk;
  readonly action: ActionView;
}

export interface Run {
  busy: boolean;
  state: RunState;
  message: string;
  /** When `state` began, milliseconds since the epoch. */
  since: number;
}

export interface View {
  sections: Section[];
  /** The tool parts by call; the same objects as in the rows. */
  calls: Record<string, ToolPart>;
  /** The part that still grows; the same object as in its row. */
  open: TextPart | ReasoningPart | undefined;
  /** The plan of the current run; the same object as in its row. */
  plan: PlanPart | undefined;
  approvals: Approval[];
  retry: EventOf<'retry'> | undefined;
  run: Run;
  /** Tokens of the newest request with its reply, and dollars of all (undefined: no price known). */
  tokens: number;
  cost: number | undefined;
  /** The current request, and how many parts of its reply there are so far. */
  request: number;
  replyParts: number;
  lastTimestamp: number;
}

export function emptyView(): View {
  return {
    sections: [],
    calls: Object.create(null),
    open: undefined,
    plan: undefined,
    approvals: [],
    retry: undefined,
    run: { busy: false, state: 'idle', message: '', since: 0 },
    tokens: 0,
    cost: undefined,
    request: 0,
    replyParts: 0,
    lastTimestamp: 0,
  };
}
