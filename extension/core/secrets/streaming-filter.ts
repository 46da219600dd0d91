// The same for words that are still coming, in pieces: what may be a part of a secret waits for the rest of it.
import type { DeltaDraft, EventDraft } from '../../protocol/events.ts';
import type { SecretFilter } from './secret-filter.ts';
import { settledPrefixLength } from './streaming-boundary.ts';

type TextDelta = Extract<DeltaDraft, { text: string }>;
type Piece = TextDelta extends infer D ? (D extends TextDelta ? Omit<D, 'text'> : never) : never;

const REPLY = ['text_delta', 'reasoning_delta'];
const STREAMS = ['stdout', 'stderr'] as const;

/** What it passes on, put together, is the beginning of what the log will say. The work for a piece does not grow. */
export class StreamingSecretFilter {
  readonly #secrets: SecretFilter;
  /** By what it is a part of. */
  readonly #held = new Map<string, string>();

  constructor(secrets: SecretFilter) {
    this.#secrets = secrets;
  }

  /** What can be shown now; undefined where that is nothing. */
  pass(delta: DeltaDraft): DeltaDraft | undefined {
    if (delta.type === 'tool_input_delta') return delta;
    if (this.#held.size === 0 && delta.text !== '' && !this.#secrets.mayHold(delta.text)) return delta;
    const name = nameOf(delta);
    const text = (this.#held.get(name) ?? '') + delta.text;
    const isOutput = delta.type === 'tool_output_delta';
    const end = settledPrefixLength(text, this.#secrets, isOutput);
    if (end < text.length) this.#held.set(name, text.slice(end));
    else this.#held.delete(name);
    return end === 0 ? undefined : { ...delta, text: this.#secrets.text(text.slice(0, end), isOutput) };
  }

  /** Of words that were cut off, what was passed on: the beginning of a secret is not known again as one. */
  asShown(draft: EventDraft): EventDraft {
    const held = this.#held.get('text_delta') ?? '';
    if (draft.type !== 'text' || !draft.partial || !draft.content.endsWith(held)) return draft;
    this.#held.delete('text_delta');
    return { ...draft, content: draft.content.slice(0, draft.content.length - held.length) };
  }

  /** What waited to become a part of what `draft` has as a whole. */
  completed(draft: EventDraft): readonly DeltaDraft[] {
    if (this.#held.size === 0) return [];
    if (draft.type === 'request_ended') for (const type of REPLY) this.#held.delete(type);
    if (draft.type === 'text' || draft.type === 'reasoning')
      return this.#rest({ type: `${draft.type}_delta` });
    if (draft.type !== 'tool_result') return [];
    const { id } = draft;
    const result = this.#secrets.text(draft.result);
    return STREAMS.flatMap((stream) => this.#rest({ type: 'tool_output_delta', id, stream })).filter(
      // Where the output was cut, its last word is left out: it may be half a secret.
      ({ text }) => result.includes(JSON.stringify(text).slice(1, -1)),
    );
  }

  #rest(piece: Piece): readonly TextDelta[] {
    const name = nameOf(piece);
    const text = this.#held.get(name);
    this.#held.delete(name);
    const isOutput = piece.type === 'tool_output_delta';
    return text === undefined ? [] : [{ ...piece, text: this.#secrets.text(text, isOutput) }];
  }
}

function nameOf(piece: Piece): string {
  return piece.type === 'tool_output_delta' ? `${piece.id} ${piece.stream}` : piece.type;
}
