import type { SessionListener } from '../core/log/log-writer.ts';
import { summarizeCall } from '../core/log/summarize-call.ts';
import { errorTextOf, problemCountOf } from '../core/view/tool-text.ts';
import type { EventOf, SessionEvent } from '../protocol/events.ts';
import { printable } from './printable.ts';

/** Prints one stored event per line. */
export function jsonOutput(): SessionListener {
  return {
    onEvents: (events) => process.stdout.write(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
  };
}

type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  /** The size of a terminal. */
  readonly columns?: number;
  readonly rows?: number;
};

export interface TextOutput {
  readonly stdout?: Output;
  readonly stderr?: Output;
  /** Also prints the user's prompts. */
  readonly prompts?: boolean;
}

export interface TextListener extends SessionListener {
  /** Prints the rest of a reply without an end, as the log of a killed process may have. */
  finish(): void;
}

/** Prints the model's text on standard output, and everything else on standard error. */
export function textOutput(options: TextOutput = {}): TextListener {
  const { stdout = process.stdout, stderr = process.stderr, prompts = false } = options;
  const words = stdout.isTTY ? new StreamedWords(stdout) : new CompleteWords(stdout);
  const reply = new ReplyLines((line) => stderr.write(`${printable(line)}\n`));
  /** The current reply has text. */
  let hasBegun = false;
  const end = (counts: boolean) => {
    words.end(counts);
    reply.end(counts);
  };
  return {
    finish: () => end(true),
    onDelta: (delta) => {
      if (delta.type !== 'text_delta') return;
      hasBegun = true;
      words.delta(delta.text);
    },
    onEvents: (events) => {
      for (const event of events) {
        // A reply before this event has no end.
        if (event.type === 'user' || event.type === 'request_started') end(true);
        if (event.type === 'request_started') reply.begin();
        if (event.type === 'user' && prompts) words.prompt(event.content);
        if (event.type === 'text') words.block(event.content);
        if (event.type === 'request_ended')
          end(event.outcome === 'completed' || event.outcome === 'cancelled');
        const line = event.type === 'request_ended' ? discardedLine(event, hasBegun) : lineOf(event);
        hasBegun = event.type === 'text' || (hasBegun && event.type !== 'request_ended');
        const isOfReply = event.type === 'tool_call' || event.type === 'tool_result';
        if (line !== undefined) reply.add(line, isOfReply);
      }
    },
  };
}

function discardedLine({ outcome }: EventOf<'request_ended'>, hasBegun: boolean): string | undefined {
  return outcome === 'discarded' && hasBegun ? 'Discarded the incomplete reply.' : undefined;
}

/** Holds back lines while a reply is open, because only its end shows whether its calls count. */
class ReplyLines {
  readonly #write: (line: string) => void;
  #held: { readonly line: string; readonly isOfReply: boolean }[] | undefined;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  begin(): void {
    this.#held = [];
  }

  add(line: string, isOfReply: boolean): void {
    if (this.#held) this.#held.push({ line, isOfReply });
    else this.#write(line);
  }

  end(counts: boolean): void {
    for (const { line, isOfReply } of this.#held ?? []) if (counts || !isOfReply) this.#write(line);
    this.#held = undefined;
  }
}

interface Words {
  prompt(text: string): void;
  delta(text: string): void;
  block(text: string): void;
  end(counts: boolean): void;
}

/** For people: prints text as it arrives, and erases that of a reply which does not count. */
class StreamedWords implements Words {
  readonly #stdout: Output;
  /** The text of the current reply. */
  #printed = '';
  /** The current block has printed text. */
  #streamed = false;

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  prompt(text: string): void {
    this.#stdout.write(printable(quoted(text)));
  }

  delta(text: string): void {
    this.#streamed = true;
    this.#write(text);
  }

  block(text: string): void {
    if (!this.#streamed) this.#write(text);
    this.#write('\n');
    this.#streamed = false;
  }

  /** Ends the line of an incomplete block. */
  end(counts: boolean): void {
    const rows = counts ? 0 : rowsOf(this.#printed, this.#stdout.columns);
    const canErase = rows > 0 && rows <= (this.#stdout.rows ?? 0);
    if (canErase) this.#stdout.write(`${rows > 1 ? `\u001b[${rows - 1}A` : ''}\r\u001b[J`);
    else if (this.#streamed) this.#stdout.write('\n');
    this.#streamed = false;
    this.#printed = '';
  }

  #write(text: string): void {
    const shown = printable(text);
    this.#printed += shown;
    this.#stdout.write(shown);
  }
}

/** For programs: prints a reply only after it is known to count, because printed text cannot be withdrawn. */
class CompleteWords implements Words {
  readonly #stdout: Output;
  #blocks: string[] = [];

  constructor(stdout: Output) {
    this.#stdout = stdout;
  }

  prompt(text: string): void {
    this.#stdout.write(quoted(text));
  }

  delta(): void {}

  block(text: string): void {
    this.#blocks.push(`${text}\n`);
  }

  end(counts: boolean): void {
    if (counts) this.#stdout.write(this.#blocks.join(''));
    this.#blocks = [];
  }
}

/**
 * The rows that a text takes on a terminal, at least: wide characters and tabs count as one column. So erasing
 * them never reaches what was there before. 0 if the width is unknown.
 */
function rowsOf(text: string, columns = 0): number {
  if (text === '' || columns === 0) return 0;
  const widths = text.split('\n').map((line) => [...new Intl.Segmenter().segment(line)].length);
  return widths.reduce((rows, width) => rows + Math.max(1, Math.ceil(width / columns)), 0);
}

function quoted(prompt: string): string {
  return `${prompt.replace(/^/gm, '> ')}\n`;
}

/** The stored message advises a command of VS Code. */
const CONTEXT_FULL =
  'The conversation is too long for the model. Start a new session without --session and --continue, or choose a model with a larger context window by --model.';

function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool_call':
      return `▸ ${summarizeCall(event)}`;
    case 'tool_result':
      return event.isError ? `  ✗ ${errorTextOf(event.result)}` : problemLine(event.result);
    case 'retry':
      return `${event.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`;
    case 'error':
      return event.code === 'context_overflow' ? CONTEXT_FULL : event.message;
    case 'notice':
      return event.message;
    case 'turn_ended':
      return event.reason === 'max_turns'
        ? 'Stopped at the turn limit. To continue, run again with --continue.'
        : undefined;
    default:
      return undefined;
  }
}

/** A session of an editor has results that name problems. */
function problemLine(result: string): string | undefined {
  const count = problemCountOf(result);
  return count === 0 ? undefined : `  ${count} problem${count === 1 ? '' : 's'} in the editor`;
}
