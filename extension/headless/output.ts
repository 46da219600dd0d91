import type { SessionListener } from '../core/log/log-writer.ts';
import { summarizeCall } from '../core/log/summarize-call.ts';
import { errorTextOf } from '../core/view/tool-text.ts';
import type { EventOf, SessionEvent } from '../protocol/events.ts';
import { printable } from './printable.ts';

/** One stored event a line. */
export function jsonOutput(): SessionListener {
  return {
    onEvents: (events) => process.stdout.write(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
  };
}

type Output = NodeJS.WritableStream & { readonly isTTY?: boolean };

export interface TextOutput {
  readonly stdout?: Output;
  readonly stderr?: Output;
  /** The user's prompts are shown too, among the words of the model. */
  readonly prompts?: boolean;
}

export interface TextListener extends SessionListener {
  /** What is left of a reply that has no end, as in a log of a process that was killed. */
  finish(): void;
}

/** The model's words on standard output, everything else on standard error. */
export function textOutput(options: TextOutput = {}): TextListener {
  const { stdout = process.stdout, stderr = process.stderr, prompts = false } = options;
  const words = stdout.isTTY ? new StreamedWords(stdout) : new CompleteWords(stdout);
  /** The reply has come to words. */
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
        // The reply before it has no end.
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
  return outcome === 'discarded' && hasBegun ? 'The reply so far does not count.' : undefined;
}

interface Words {
  prompt(text: string): void;
  delta(text: string): void;
  block(text: string): void;
  end(counts: boolean): void;
}

/** For a person: as they come. */
class StreamedWords implements Words {
  readonly #stdout: Output;
  /** A line has begun. */
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

  /** What was shown of a block that never came whole stays; what follows begins a line of its own. */
  end(): void {
    if (this.#streamed) this.#stdout.write('\n');
    this.#streamed = false;
  }
}

/** For a program, which cannot take anything back: when it is known that they count. */
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
      return event.isError ? `  ✗ ${errorTextOf(event.result)}` : undefined;
    case 'retry':
      return `${event.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`;
    case 'error':
    case 'notice':
      return event.message;
    case 'turn_ended':
      return event.reason === 'max_turns'
        ? 'Stopped at the limit of turns. Go on with --continue.'
        : undefined;
    default:
      return undefined;
  }
}
