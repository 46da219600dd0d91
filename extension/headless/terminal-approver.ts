import type { Answer, ApprovalRequest, Approver } from '../core/ports/approver.ts';
import type { Decision } from '../protocol/events.ts';
import { printable } from './printable.ts';
import { askOnTerminal, isAttended, ownTerminal } from './terminal-question.ts';

const ONCE = new Map<string, Decision>([
  ['y', 'allow_once'],
  ['n', 'deny'],
]);
const REMEMBERED = new Map<string, Decision>([...ONCE, ['s', 'allow_session'], ['a', 'allow_always']]);

const NO_TERMINAL = 'there is no terminal to ask on; run with --yes or --permissions acceptEdits to allow it';

/** Asks on the terminal; without one, what would have to be asked is denied. */
export function terminalApprover(terminal = ownTerminal()): Approver {
  return {
    ask: async (request, signal) => {
      if (!isAttended(terminal)) return { decision: 'deny', reason: NO_TERMINAL };
      terminal.output.write(`\n${cardOf(request)}\n`);
      const { remember } = request.action;
      const question = remember ? QUESTION : QUESTION_ONCE;
      const answered = askOnTerminal(terminal, question, remember ? REMEMBERED : ONCE, signal);
      return answered.then(
        (decision): Answer => ({ decision }),
        // Nobody has allowed it.
        () => ({ decision: 'deny', reason: 'no answer was given' }),
      );
    },
  };
}

const QUESTION = '[y] once, [s] this session, [a] always, [n] no: ';
const QUESTION_ONCE = '[y] once, [n] no: ';

function cardOf({ risk, action }: ApprovalRequest): string {
  const lines = action.warnings.map((warning) => `  ! ${printable(warning)}`);
  return [`${printable(action.title)} (risk: ${risk})`, `  ${printable(action.detail)}`, ...lines].join('\n');
}
