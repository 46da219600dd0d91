import type { Delta } from '../../extension/protocol/delta.ts';
import { appendText, emptyText } from '../markdown/split-text.ts';
import { addOutput, emptyOutput } from './live-output.ts';
import type { Section } from './parts.ts';
import { openReasoning, openText } from './reply-parts.ts';
import { callPart } from './tool-parts.ts';

/** Applies live data to `section`: a growing reply, or the output of a running command. */
export function applyDelta(section: Section, delta: Delta): void {
  switch (delta.type) {
    case 'text_delta':
      appendText(openText(section).text, delta.text);
      break;
    case 'reasoning_delta':
      appendText(openReasoning(section).text, delta.text);
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

/**
 * Applies all growing data to `section`, which may lack some of it. Keeps the existing parts, because a
 * reader would lose their place otherwise.
 */
export function catchUpGrowing(section: Section, deltas: readonly Delta[]): void {
  for (const call of Object.values(section.calls)) if (call.result === undefined) call.output = emptyOutput();
  for (const delta of deltas) applyDelta(section, missingOf(section, delta));
}

function missingOf({ open }: Section, delta: Delta): Delta {
  if (!open || !('text' in delta) || delta.type !== `${open.kind}_delta`) return delta;
  const { content } = open.text;
  if (delta.text.startsWith(content)) return { ...delta, text: delta.text.slice(content.length) };
  open.text = emptyText();
  return delta;
}

function showOutput(section: Section, id: string, text: string): void {
  const part = section.calls[id];
  if (part !== undefined && part.result === undefined) addOutput(part.output, text);
}
