// What the model reads about the end of its work, because it learns of it in no other way.
import type { EndReason, EventOf, SessionEvent } from '../../protocol/events.ts';
import { fitItems } from '../base/text/fit-items.ts';
import { summarizeCall } from '../log/summarize-call.ts';

/** Limit in bytes for the calls of one outcome. The whole text stays below 1 kB. */
const MAX_LIST = 200;

export interface RunEnd {
  readonly reason: EndReason;
  /** The events of the run, in the order of the log. */
  readonly events: readonly SessionEvent[];
  readonly maxTurns: number;
  /** The session was closed, so the user may not have wanted to stop. */
  readonly isLeft: boolean;
}

/** Undefined if the model knows already why its work ended. */
export function endForModel({ reason, events, maxTurns, isLeft }: RunEnd): string | undefined {
  if (reason === 'max_turns') return `${limitReached(maxTurns)} ${GO_ON}`;
  if (reason === 'error' && isCutShort(events)) return `${CUT_SHORT} ${GO_ON}`;
  if (reason !== 'cancelled') return undefined;
  const why = isLeft ? 'The session was closed during this run.' : 'The user stopped this run.';
  return `${why} ${callsOf(events)} ${ASK_FIRST}`;
}

const GO_ON = 'If no other message follows, the user wants you to continue where you stopped.';
const CUT_SHORT = 'Your reply was cut off because it reached the limit of tokens for one reply.';
const ASK_FIRST = 'Do not resume this work unless the user asks for it.';

function limitReached(maxTurns: number): string {
  return `The run ended because it reached the limit of ${maxTurns} requests for one prompt.`;
}

function isCutShort(events: readonly SessionEvent[]): boolean {
  return events.findLast((event) => event.type === 'error')?.code === 'max_tokens';
}

/** What became of the calls of the last reply. */
function callsOf(events: readonly SessionEvent[]): string {
  const last = events.slice(events.findLastIndex(({ type }) => type === 'request_started') + 1);
  const calls = last.filter((event) => event.type === 'tool_call');
  if (calls.length === 0) return 'No call of yours was open.';
  const outcomes = calls.map((call) => [outcomeOf(call, last), summarizeCall(call)] as const);
  return OUTCOMES.flatMap(([outcome, words]) => {
    const named = outcomes.filter(([each]) => each === outcome).map(([, summary]) => summary);
    return named.length > 0 ? [`${words}: ${fitItems(named, MAX_LIST, '; ')}.`] : [];
  }).join(' ');
}

type Outcome = 'ended' | 'stopped' | 'unstarted';

const OUTCOMES: readonly (readonly [Outcome, string])[] = [
  ['ended', 'Calls that had ended'],
  ['stopped', 'Stopped while it ran, perhaps with effects'],
  ['unstarted', 'Not run'],
];

function outcomeOf({ id }: EventOf<'tool_call'>, events: readonly SessionEvent[]): Outcome {
  const isStarted = events.some((event) => event.type === 'tool_started' && event.id === id);
  const result = events.find((event) => event.type === 'tool_result' && event.id === id);
  if (!isStarted) return 'unstarted';
  return result?.type === 'tool_result' && result.end === undefined ? 'ended' : 'stopped';
}
