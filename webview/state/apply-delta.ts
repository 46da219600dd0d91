import type { Delta } from '../../extension/protocol/events.ts';
import { append } from '../markdown/split-text.ts';
import { addOutput } from './live-output.ts';
import type { View } from './parts.ts';
import { openReasoning, openText } from './reply-parts.ts';
import { callPart } from './tool-parts.ts';

/** Folds what is live only into `view`: a reply while it grows, a command's output while it runs. */
export function applyDelta(view: View, delta: Delta): void {
  switch (delta.type) {
    case 'text_delta':
      append(openText(view).text, delta.text);
      break;
    case 'reasoning_delta':
      append(openReasoning(view).text, delta.text);
      break;
    case 'tool_input_delta':
      callPart(view, delta.id, delta.name).receivedBytes = delta.bytes;
      break;
    case 'tool_output_delta':
      showOutput(view, delta.id, delta.text);
      break;
    default:
      delta satisfies never;
  }
}

function showOutput(view: View, id: string, text: string): void {
  const part = view.calls[id];
  if (part !== undefined && part.result === undefined) addOutput(part.output, text);
}

/** Neighbouring deltas of one growing text as one. */
export function joinDeltas(deltas: readonly Delta[]): Delta[] {
  const joined: Delta[] = [];
  for (const delta of deltas) {
    const both = join(joined.at(-1), delta);
    if (both === undefined) joined.push(delta);
    else joined[joined.length - 1] = both;
  }
  return joined;
}

function join(first: Delta | undefined, second: Delta): Delta | undefined {
  if (first?.type === 'text_delta' && second.type === 'text_delta')
    return { ...second, text: first.text + second.text };
  if (first?.type === 'reasoning_delta' && second.type === 'reasoning_delta')
    return { ...second, text: first.text + second.text };
  return undefined;
}
