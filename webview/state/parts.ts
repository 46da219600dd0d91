// The parts that the panel shows of a session, built from its events and changed in place. Independent of
// Solid and the page.
import type { Diff, EndReason, EventOf, ShownOutput } from '../../extension/protocol/events.ts';
import type { SplitText } from '../markdown/split-text.ts';
import type { LiveOutput } from './live-output.ts';

export type ToolState = 'pending' | 'running' | 'done' | 'error' | 'denied' | 'skipped' | 'cancelled';

export interface UserPart {
  readonly kind: 'user';
  readonly id: string;
  readonly content: string;
  /** The context that was added for the model; empty if there is none. */
  readonly context: string;
  readonly attachments: readonly string[];
}

export interface TextPart {
  readonly kind: 'text';
  readonly id: string;
  /** The request whose reply contains this part. */
  readonly request: number;
  text: SplitText;
  open: boolean;
  /** The reply was cut off here. */
  partial: boolean;
}

export interface ReasoningPart {
  readonly kind: 'reasoning';
  readonly id: string;
  readonly request: number;
  text: SplitText;
  open: boolean;
  /** From the event before the part to the end of the part. */
  milliseconds: number;
  /** Tokens of all reasoning in its reply; only on the last part, and only if the provider reports them. */
  tokens: number | undefined;
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
  /** The reason why the model's arguments were refused. */
  invalid: string | undefined;
  permission: EventOf<'permission'> | undefined;
  output: LiveOutput;
  /** The tool's JSON; absent until it has ended. */
  result: string | undefined;
  added: number | undefined;
  removed: number | undefined;
  shown: ShownOutput | undefined;
  diff: Diff | undefined;
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
  /** How the run ended, if the notice reports that. */
  readonly ended: EndReason | undefined;
  /** The summary that replaces the conversation up to here in later requests. */
  readonly summary?: string;
}

export type Part = UserPart | TextPart | ReasoningPart | ToolPart | PlanPart | ErrorPart | NoticePart;

/** One line of the conversation: a part, or adjacent tool parts of one kind. Never empty. */
export interface Row {
  parts: Part[];
}

/** One section of the session, built only from its own events. */
export interface Section {
  rows: Row[];
  /** The tool parts by call; the same objects as in the rows. */
  calls: Record<string, ToolPart>;
  /** The part that still grows; the same object as in its row. */
  open: TextPart | ReasoningPart | undefined;
  /** The plan of the current run; the same object as in its row. */
  plan: PlanPart | undefined;
  /** The current request, and the number of parts of its reply so far. */
  request: number;
  replyParts: number;
  lastTimestamp: number;
}

export function emptySection(): Section {
  return {
    rows: [],
    calls: Object.create(null),
    open: undefined,
    plan: undefined,
    request: 0,
    replyParts: 0,
    lastTimestamp: 0,
  };
}

/** The loaded part of a conversation. The newest section is always present, older ones only if requested. */
export interface View {
  /** Estimated lines of each section. Has one entry for each section of the session. */
  lines: number[];
  sections: Record<number, Section>;
  /** Only the newest sections have arrived so far; the first of them has index 0. */
  isEnd: boolean;
}

export function emptyView(): View {
  return { lines: [], sections: {}, isEnd: false };
}

/** The newest section. A session that has begun always has one. */
export function newestSection({ lines, sections }: View): Section | undefined {
  return sections[lines.length - 1];
}
