import { summarizeCall } from '../core/loop/summarize-call.ts';
import type { SessionListener } from '../core/session/recorder.ts';
import type { SessionEvent } from '../protocol/events.ts';

/** One stored event a line. */
export function jsonOutput(): SessionListener {
  return {
    onEvents: (events) => process.stdout.write(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
  };
}

/** The model's words on standard output as they come, everything else on standard error. */
export function textOutput(): SessionListener {
  let streamed = false;
  return {
    onDelta: (delta) => {
      if (delta.type !== 'text_delta') return;
      streamed = true;
      process.stdout.write(delta.text);
    },
    onEvents: (events) => {
      for (const event of events) {
        if (event.type === 'text') {
          process.stdout.write(streamed ? '\n' : `${event.content}\n`);
          streamed = false;
        } else {
          const line = lineOf(event);
          if (line !== undefined) process.stderr.write(`${line}\n`);
        }
      }
    },
  };
}

function lineOf(event: SessionEvent): string | undefined {
  switch (event.type) {
    case 'tool_call':
      return `▸ ${summarizeCall(event)}`;
    case 'tool_result':
      return event.isError ? `  ✗ ${errorOf(event.result)}` : undefined;
    case 'retry':
      return `${event.message} Trying again in ${Math.ceil(event.delayMs / 1000)} s.`;
    case 'request_ended':
      return event.outcome === 'discarded' ? 'The reply so far does not count.' : undefined;
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

function errorOf(result: string): string {
  const { error } = JSON.parse(result) as { error?: unknown };
  return String(error ?? result);
}
