import type { SessionEvent } from '../../protocol/events.ts';

/** Characters per line in a typical side bar. */
const PER_LINE = 48;
/** The space around a part, in lines. */
const SPACE = 0.7;

/** Estimates how many lines `event` takes in the panel, until the panel has measured it. */
export function estimateLines(event: SessionEvent): number {
  if (event.elided) return event.elided.lines;
  switch (event.type) {
    case 'user':
    case 'text':
      return SPACE + textLines(event.content);
    case 'error':
    case 'notice':
      return SPACE + textLines(event.message);
    case 'compaction':
      return SPACE + 2;
    case 'plan':
      return SPACE + event.steps.length;
    case 'reasoning':
    case 'tool_call':
      return 1;
    default:
      return 0;
  }
}

function textLines(text: string): number {
  return Math.max(1, text.length / PER_LINE, text.split('\n', 2_000).length);
}
