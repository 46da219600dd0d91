import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { Answer, ApprovalRequest, Approver } from '../core/ports/approver.ts';
import type { Decision } from '../protocol/events.ts';
import { printable } from './printable.ts';

const ONCE = new Map<string, Decision>([
  ['y', 'allow_once'],
  ['n', 'deny'],
]);
const REASONED_DENIAL = /^n\s+(.+)$/i;
const REMEMBERED = new Map<string, Decision>([...ONCE, ['s', 'allow_session'], ['a', 'allow_always']]);

const NO_TERMINAL =
  'there is no terminal to ask on; to allow this, run with --yes, or with --permissions acceptEdits for edits';

/** Asks on the terminal. Without a terminal, denies every action that needs approval. */
export function terminalApprover(terminal = ownTerminal()): Approver {
  return {
    ask: async (request, signal) => {
      if (request.options) return askQuestion(terminal, request.action.title, request.options, signal);
      if (!isAttended(terminal)) return { decision: 'deny', reason: NO_TERMINAL };
      terminal.output.write(`\n${cardOf(request)}\n`);
      const { remember } = request.action;
      const question = remember ? QUESTION : QUESTION_ONCE;
      const answers = remember ? REMEMBERED : ONCE;
      const read = (line: string) => readAnswer(line, answers);
      return askOnTerminal(terminal, question, read, signal).catch(unanswered);
    },
  };
}

/** Undefined unless the line is one of the answers, or `n` and a reason. */
function readAnswer(line: string, answers: ReadonlyMap<string, Decision>): Answer | undefined {
  const userReason = REASONED_DENIAL.exec(line)?.[1];
  if (userReason !== undefined) return { decision: 'deny', userReason };
  const decision = answers.get(line.toLowerCase());
  return decision && { decision };
}

/** The run was canceled or the terminal was closed, so the user allowed nothing. */
const unanswered = (): Answer => ({ decision: 'deny', reason: 'no answer was given' });

async function askQuestion(
  terminal: Terminal,
  question: string,
  options: readonly string[],
  signal: AbortSignal,
): Promise<Answer> {
  if (!isAttended(terminal)) return { decision: 'deny', reason: 'there is no terminal to ask on' };
  const listed = options.map((option, index) => `  [${index + 1}] ${printable(option)}\n`);
  terminal.output.write(`\n${printable(question)}\n${listed.join('')}`);
  const read = (line: string) => (line === '' ? undefined : (options[Number(line) - 1] ?? line));
  const prompt = options.length > 0 ? 'A number or your answer: ' : 'Your answer: ';
  return askOnTerminal(terminal, prompt, read, signal).then(
    (text): Answer => ({ decision: 'allow_once', text }),
    unanswered,
  );
}

const QUESTION = '[y] once, [s] this session, [a] always, [n] no, [n REASON] no, and why: ';
const QUESTION_ONCE = '[y] once, [n] no, [n REASON] no, and why: ';

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

/** Asks until `read` accepts the line. Rejects on an abort, or if the terminal is closed. */
async function askOnTerminal<Read>(
  { input, output }: Terminal,
  question: string,
  read: (line: string) => Read | undefined,
  signal: AbortSignal,
): Promise<Read> {
  const lines = createInterface({ input, output });
  // `readline` intercepts Ctrl+C, so this passes it on to the process.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  // `question` never settles if the input ends.
  const closed = once(lines, 'close').then(() => Promise.reject(new Error('the terminal was closed')));
  try {
    for (;;) {
      const line = await Promise.race([lines.question(question, { signal }), closed]);
      const answer = read(line.trim());
      if (answer !== undefined) return answer;
    }
  } finally {
    lines.close();
  }
}
