import type { Delta } from '../../extension/protocol/events.ts';
import { append } from '../markdown/split-text.ts';
import { addOutput } from './live-output.ts';
import type { Section } from './parts.ts';
import { openReasoning, openText } from './reply-parts.ts';
import { callPart } from './tool-parts.ts';

/** Folds what is live only into `section`: a reply while it grows, a command's output while it runs. */
export function applyDelta(section: Section, delta: Delta): void {
  switch (delta.type) {
    case 'text_delta':
      append(openText(section).text, delta.text);
      break;
    case 'reasoning_delta':
      append(openReasoning(section).text, delta.text);
      break;
    case 'tool_input_delta':
      callPart(section, delta.id, delta.name).receivedBytes = delta.bytes;
      break;
    case 'tool_output_delta':
      showOutput(section, delta.id, delta.text);
      break;
    default:
      delta satisfies never;
  }
}

function showOutput(section: Section, id: string, text: string): void {
  const part = section.calls[id];
  if (part !== undefined && part.result === undefined) addOutput(part.output, text);
}
