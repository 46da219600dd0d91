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

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

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
  /** The current reply has text. */
  let hasBegun = false;
  return {
    finish: () => words.end(true),
    onDelta: (delta) => {
      if (delta.type !== 'text_delta') return;
      hasBegun = true;
      words.delta(delta.text);
    },
    onEvents: (events) => {
      for (const event of events) {
        // A reply before this event has no end.
        if (event.type === 'user' || event.type === 'request_started') words.end(true);
        if (event.type === 'user' && prompts) words.prompt(event.content);
        if (event.type === 'text') words.block(event.content);
        const line = event.type === 'request_ended' ? end(event, words, hasBegun) : lineOf(event);
        hasBegun = event.type === 'text' || (hasBegun && event.type !== 'request_ended');
        if (line !== undefined) stderr.write(`${printable(line)}\n`);
      }
    },
  };
}

function end({ outcome }: EventOf<'request_ended'>, words: Words, hasBegun: boolean): string | undefined {
  words.end(outcome === 'completed' || outcome === 'cancelled');
  return outcome === 'discarded' && hasBegun ? 'Discarded the incomplete reply.' : undefined;
}

interface Words {
  prompt(text: string): void;
  delta(text: string): void;
  block(text: string): void;
  end(counts: boolean): void;
}

/** For people: prints text as it arrives. */
class StreamedWords implements Words {
  readonly #stdout: Output;
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
    this.#stdout.write(printable(text));
  }

  block(text: string): void {
    if (!this.#streamed) this.#stdout.write(printable(text));
    this.#stdout.write('\n');
    this.#streamed = false;
  }

  /** Ends the line of an incomplete block. Its printed text stays. */
  end(): void {
    if (this.#streamed) this.#stdout.write('\n');
    this.#streamed = false;
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

function quoted(prompt: string): string {
  return `${prompt.replace(/^/gm, '> ')}\n`;
}

function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool_call':
      return `▸ ${summarizeCall(event)}`;
    case 'tool_result':
      return event.isError ? `  ✗ ${errorTextOf(event.result)}` : problemLine(event.result);
    case 'retry':
      return `${event.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`;
    case 'error':
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
