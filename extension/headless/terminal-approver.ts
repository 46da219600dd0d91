import { once } from 'node:events';
import { createInterface, type Interface } from 'node:readline/promises';
import type { Answer, ApprovalRequest, Approver } from '../core/ports/approver.ts';
import type { Decision } from '../protocol/events.ts';
import { printable } from './printable.ts';

const ONCE = new Map<string, Decision>([
  ['y', 'allow_once'],
  ['n', 'deny'],
]);
const REMEMBERED = new Map<string, Decision>([...ONCE, ['s', 'allow_session'], ['a', 'allow_always']]);

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** Asks on the terminal; without one, what would have to be asked is denied. */
export class TerminalApprover implements Approver {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal = { input: process.stdin, output: process.stderr }) {
    this.#terminal = terminal;
  }

  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer> {
    const { input, output } = this.#terminal;
    if (!input.isTTY || !output.isTTY) return { decision: 'deny', reason: NO_TERMINAL };
    output.write(`\n${cardOf(request)}\n`);
    const lines = createInterface({ input, output });
    // The terminal would keep Ctrl+C to itself; it means the same here as everywhere.
    lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      return { decision: await decide(lines, request, signal) };
    } catch {
      // Aborted, or the terminal was closed: nobody has allowed it.
      return { decision: 'deny', reason: 'no answer was given' };
    } finally {
      lines.close();
    }
  }
}

/** Asks until the answer is one of those that are offered. Rejects where none can come any more. */
async function decide(lines: Interface, request: ApprovalRequest, signal: AbortSignal): Promise<Decision> {
  const answers = request.action.remember ? REMEMBERED : ONCE;
  // A question whose input ends stays open for ever.
  const closed = once(lines, 'close').then(() => Promise.reject(new Error('the terminal was closed')));
  for (;;) {
    const line = await Promise.race([lines.question(questionOf(request), { signal }), closed]);
    const decision = answers.get(line.trim().toLowerCase());
    if (decision) return decision;
  }
}

const NO_TERMINAL = 'there is no terminal to ask on; run with --yes or --permissions acceptEdits to allow it';

function cardOf({ risk, action }: ApprovalRequest): string {
  const lines = action.warnings.map((warning) => `  ! ${printable(warning)}`);
  return [`${printable(action.title)} (risk: ${risk})`, `  ${printable(action.detail)}`, ...lines].join('\n');
}

function questionOf({ action }: ApprovalRequest): string {
  return action.remember ? '[y] once, [s] this session, [a] always, [n] no: ' : '[y] once, [n] no: ';
}
