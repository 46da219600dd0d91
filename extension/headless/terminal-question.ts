import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';

export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly isTTY?: boolean };
}

/** The one that this process was started on. */
export const ownTerminal = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** Whether somebody sits there. */
export function isAttended({ input, output }: Terminal): boolean {
  return Boolean(input.isTTY && output.isTTY);
}

/** Asks until the answer is one of `answers`. Rejects where none can come any more: aborted, or the terminal was closed. */
export async function askOnTerminal<Answer>(
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
