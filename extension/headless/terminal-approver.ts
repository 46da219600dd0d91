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

const NO_TERMINAL =
  'there is no terminal to ask on; to allow this, run with --yes, or with --permissions acceptEdits for edits';

/** Asks on the terminal. Without a terminal, denies every action that needs approval. */
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
        // The run was canceled or the terminal was closed, so the user allowed nothing.
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

/** The terminal of this process. */
const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** True if a user can read the question and type an answer. */
function isAttended({ input, output }: Terminal): boolean {
  return Boolean(input.isTTY && output.isTTY);
}

/** Asks until the answer is one of `answers`. Rejects on an abort, or if the terminal is closed. */
async function askOnTerminal<Answer>(
  { input, output }: Terminal,
  question: string,
  answers: ReadonlyMap<string, Answer>,
  signal: AbortSignal,
): Promise<Answer> {
  const lines = createInterface({ input, output });
  // `readline` intercepts Ctrl+C, so this passes it on to the process.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // `question` never settles if the input ends.
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
