import { createInterface } from 'node:readline/promises';
import type { Answer, ApprovalRequest, Approver } from '../core/ports/approver.ts';
import type { Decision } from '../protocol/events.ts';

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
  const lines = action.warnings.map((warning) => `  ! ${visible(warning)}`);
  return [`${visible(action.title)} (risk: ${risk})`, `  ${visible(action.detail)}`, ...lines].join('\n');
}

function questionOf({ action }: ApprovalRequest): string {
  return action.remember ? '[y] once, [s] this session, [a] always, [n] no: ' : '[y] once, [n] no: ';
}

/** Characters that could hide or forge part of the question are shown as escapes. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '\n  ' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
