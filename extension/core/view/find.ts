// Searches the parts of a section piece by piece, so that the caller can do other work between two pieces.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import type { FindField } from '../../protocol/find-messages.ts';
import { outcomeWord, type Translate } from './call-outcome.ts';
import { type Chunk, markdownChunks, plainChunks } from './markdown-chunks.ts';
import { conversationParts, type PartEvent, type ShownPart } from './parts.ts';
import { inputText, resultText } from './tool-text.ts';

/** A match within a section. */
interface SectionMatch {
  readonly seq: number;
  readonly part: string;
  readonly field: FindField;
  readonly offset: number;
  readonly length: number;
}

/** A match in a text, in UTF-16 units. */
export type Span = readonly [offset: number, length: number];

/** A searchable piece of text. */
export interface SearchablePiece {
  /** Whole lines. */
  readonly text: string;
  matchOf(span: Span): SectionMatch;
}

/** All searchable texts of a section, in the order in which they are shown. */
export function* piecesOf(events: readonly SessionEvent[], translate: Translate): Generator<SearchablePiece> {
  for (const part of conversationParts(events)) {
    for (const [field, chunks] of fieldsOf(part, translate)) {
      for (const chunk of chunks()) yield pieceOf(part, field, chunk);
    }
  }
}

/** The matches of `pattern`, which must be global, without empty ones. */
export function spansOf(pattern: RegExp, text: string): Span[] {
  const spans = Array.from(text.matchAll(pattern), ({ 0: { length }, index }): Span => [index, length]);
  return spans.filter(([, length]) => length > 0);
}

type Field = readonly [FindField, () => Iterable<Chunk>];

function fieldsOf(part: ShownPart, translate: Translate): Field[] {
  const { event } = part;
  if (event.type === 'text' || event.type === 'reasoning')
    return [['text', () => markdownChunks(event.content)]];
  if (event.type !== 'tool_call') return [['text', () => plainChunks(wordsOf(event))]];
  return callFields(part, event, translate);
}

function callFields(
  { result, permission }: ShownPart,
  { name, input }: EventOf<'tool_call'>,
  translate: Translate,
): Field[] {
  const fields: Field[] = [
    ['name', () => plainChunks(name)],
    ['input', () => plainChunks(inputText(input))],
  ];
  if (result === undefined) return fields;
  const outcome = outcomeWord({ name, result, permission }, translate);
  return [
    ...fields,
    ['outcome', () => plainChunks(outcome)],
    ['result', () => plainChunks(resultText(result.result))],
  ];
}

function wordsOf(event: Exclude<PartEvent, { type: 'text' | 'reasoning' | 'tool_call' }>): string {
  if (event.type === 'user') return [event.content, ...(event.attachments ?? [])].join('\n');
  if (event.type === 'compaction') return event.summary;
  return event.type === 'plan' ? event.steps.map(({ title }) => title).join('\n') : event.message;
}

function pieceOf({ id, event }: ShownPart, field: FindField, chunk: Chunk): SearchablePiece {
  return {
    text: chunk.text,
    matchOf([at, count]) {
      const offset = chunk.sourceOf(at);
      const length = chunk.sourceOf(at + count - 1) + 1 - offset;
      return { seq: event.seq, part: id, field, offset, length };
    },
  };
}
