// The same for words that are still coming, in pieces: what may be a part of a secret waits for the rest of it.
import type { DeltaDraft, EventDraft } from '../../protocol/events.ts';
import type { SecretFilter } from './secret-filter.ts';
import { secretKinds } from './secret-kinds.ts';

type TextDelta = Extract<DeltaDraft, { text: string }>;
type Piece = TextDelta extends infer D ? (D extends TextDelta ? Omit<D, 'text'> : never) : never;

/** In the middle of a word, so many characters of a secret's beginning are taken for a part of the word. */
const CHANCE = 3;
/** Characters of the longest secret that waits. */
const LONGEST = 24_000;
const OPEN = new RegExp(`(?:${secretKinds.map(({ open }) => open).join('|')})$`);
const STARTS = secretKinds.flatMap(({ starts }) => starts);
const REPLY = ['text_delta', 'reasoning_delta'];
const STREAMS = ['stdout', 'stderr'] as const;

/** What it passes on, put together, is the beginning of what the log will say. The work for a piece does not grow. */
export class LiveFilter {
  readonly #secrets: SecretFilter;
  /** By what it is a part of. */
  readonly #held = new Map<string, string>();

  constructor(secrets: SecretFilter) {
    this.#secrets = secrets;
  }

  /** What can be shown now; undefined where that is nothing. */
  pass(delta: DeltaDraft): DeltaDraft | undefined {
    if (delta.type === 'tool_input_delta') return delta;
    const name = nameOf(delta);
    const text = (this.#held.get(name) ?? '') + delta.text;
    const end = this.#passable(text);
    if (end < text.length) this.#held.set(name, text.slice(end));
    else this.#held.delete(name);
    return end === 0 ? undefined : { ...delta, text: this.#secrets.text(text.slice(0, end)) };
  }

  /** What waited to become a part of what `draft` has as a whole. */
  completed(draft: EventDraft): readonly DeltaDraft[] {
    if (this.#held.size === 0) return [];
    if (draft.type === 'request_ended') for (const type of REPLY) this.#held.delete(type);
    if (draft.type === 'text' || draft.type === 'reasoning')
      return this.#rest({ type: `${draft.type}_delta` });
    if (draft.type !== 'tool_result') return [];
    const { id } = draft;
    return STREAMS.flatMap((stream) => this.#rest({ type: 'tool_output_delta', id, stream }));
  }

  #rest(piece: Piece): readonly DeltaDraft[] {
    const name = nameOf(piece);
    const text = this.#held.get(name);
    this.#held.delete(name);
    return text === undefined ? [] : [{ ...piece, text: this.#secrets.text(text) }];
  }

  /** Characters of `text` that nothing to come can change. */
  #passable(text: string): number {
    const end = this.#openFrom(text);
    const clean = this.#secrets.text(text);
    if (clean === text) return end;
    const cut = this.#secrets.text(text.slice(0, end)) + this.#secrets.text(text.slice(end));
    // Otherwise it is the end of a secret that looks like the beginning of one.
    return cut === clean ? end : text.length;
  }

  /** Where in `text` something begins that may go on to be a secret; its length where nothing does. */
  #openFrom(text: string): number {
    const from = Math.max(0, text.length - LONGEST);
    const open = text.slice(from).search(OPEN);
    const begun = Math.min(beginningIn(text, STARTS), beginningIn(text, this.#secrets.forms));
    return open < 0 ? begun : Math.min(from + open, begun);
  }
}

/** Where the longest end of `text` begins that is the beginning of one of `literals`. */
function beginningIn(text: string, literals: readonly string[]): number {
  return Math.min(text.length, ...literals.map((literal) => text.length - overlap(text, literal)));
}

/** Characters at the end of `text` that `literal` begins with, but not the whole of it. */
function overlap(text: string, literal: string): number {
  const first = literal.charAt(0);
  let at = text.indexOf(first, Math.max(0, text.length - literal.length + 1));
  while (at >= 0 && !(literal.startsWith(text.slice(at)) && mayBegin(text, at)))
    at = text.indexOf(first, at + 1);
  return at < 0 ? 0 : text.length - at;
}

function mayBegin(text: string, at: number): boolean {
  return text.length - at > CHANCE || at === 0 || /\W/.test(text.charAt(at - 1));
}

function nameOf(piece: Piece): string {
  return piece.type === 'tool_output_delta' ? `${piece.id} ${piece.stream}` : piece.type;
}
