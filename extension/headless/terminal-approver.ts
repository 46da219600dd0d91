import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Answer, ApprovalRequest, Approver } from '../core/ports/approver.ts';
import type { Decision } from '../protocol/events.ts';
import { printable } from './printable.ts';

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

interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** The one that this process was started on. */
const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** Whether somebody sits there. */
function isAttended({ input, output }: Terminal): boolean {
  return Boolean(input.isTTY && output.isTTY);
}

/** Asks until the answer is one of `answers`. Rejects where none can come any more: aborted, or the terminal was closed. */
async function askOnTerminal<Answer>(
  { input, output }: Terminal,
  question: string,
  answers: ReadonlyMap<string, Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const lines = createInterface({ input, output });
  // The terminal would keep Ctrl+C to itself; it means the same here as everywhere.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // A question whose input ends stays open for ever.
  const closed = once(lines, 'close').then(() => Promise.reject(new Error('the terminal was closed')));
  try {
    for (;;) {
      const line = await Promise.race([lines.question(question, { signal }), closed]);
      const answer = answers.get(line.trim().toLowerCase());
      if (answer !== undefined) return answer;
    }
  } finally {
    lines.close();
  }
}
