// The words on a call's card that say how it ended, so that the user can find them.
import type { EventOf } from '../../protocol/events.ts';
import { effectOf } from '../../protocol/tool-names.ts';
import { commandExitCodeOf } from './tool-text.ts';

/** Returns a message in the user's language; `{0}` stands for the value. */
export type Translate = (message: string, ...values: readonly number[]) => string;

export interface EndedCall {
  readonly name: string;
  readonly result: EventOf<'tool_result'>;
  /** The decision of the gate or the user. */
  readonly permission: EventOf<'permission'> | undefined;
}

/** Characters of the longest result that is parsed only for the card's line. */
const SHORT_RESULT = 200_000;

const deniedBy = { policy: 'denied by a rule', user: 'denied', mode: 'denied in this mode' };

/** A few words; empty if the call succeeded. */
export function outcomeWord({ name, result, permission }: EndedCall, translate: Translate): string {
  const { end, isError } = result;
  if (end === 'denied') return translate(deniedBy[permission?.by ?? 'user']);
  if (end !== undefined) return translate(end === 'skipped' ? 'skipped' : 'stopped');
  if (isError) return translate('failed');
  const isRead = effectOf(name) === 'runs' && result.result.length <= SHORT_RESULT;
  const code = isRead ? commandExitCodeOf(result.result) : 0;
  return code === 0 ? '' : translate('exit {0}', code);
}
