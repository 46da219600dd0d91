import { createInterface } from 'node:readline/promises';
import type { Answer, ApprovalRequest, Approver } from '../core/ports/approver.ts';
import type { Decision } from '../protocol/events.ts';
import { printable } from './printable.ts';

const ANSWERS: Readonly<Record<string, Decision>> = {
  y: 'allow_once',
  s: 'allow_session',
  a: 'allow_always',
  n: 'deny',
};

/** Asks on the terminal; without one, what would have to be asked is denied. */
export class TerminalApprover implements Approver {
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<Answer> {
    if (!process.stdin.isTTY || !process.stderr.isTTY) return { decision: 'deny', reason: NO_TERMINAL };
    process.stderr.write(`\n${cardOf(request)}\n`);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    // The terminal would keep Ctrl+C to itself; it means the same here as everywhere.
    terminal.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
    try {
      for (;;) {
        const line = await terminal.question(questionOf(request), { signal });
        const decision = ANSWERS[line.trim().toLowerCase()];
        if (decision) return { decision };
      }
    } catch {
      // Aborted, or the terminal was closed: nobody has allowed it.
      return { decision: 'deny', reason: 'no answer was given' };
    } finally {
      terminal.close();
    }
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
