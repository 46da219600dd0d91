// Filters streamed text. Holds back a suffix that could be the start of a secret until the next chunk settles
// it.
import type { DeltaDraft } from '../../protocol/delta.ts';
import type { EventDraft } from '../../protocol/events.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { placeholderPolicy, type SecretPolicy, StreamingSecretFilter } from '../secrets/streaming-filter.ts';

type TextDelta = Extract<DeltaDraft, { text: string }>;
type Source = TextDelta extends infer D ? (D extends TextDelta ? Omit<D, 'text'> : never) : never;

const REPLY = ['text_delta', 'reasoning_delta'];
const STREAMS = ['stdout', 'stderr'] as const;

/**
 * The deltas that it passes on, joined, are the beginning of what the log will say. The cost per delta is
 * constant.
 */
export class DeltaFilter {
  readonly #secrets: SecretFilter;
  readonly #policy: SecretPolicy;
  /** Filters with held-back text, by the name of their source. */
  readonly #held = new Map<string, StreamingSecretFilter>();

  constructor(secrets: SecretFilter) {
    this.#secrets = secrets;
    this.#policy = placeholderPolicy(secrets);
  }

  /** The part that can be shown; undefined if there is none. */
  pass(delta: DeltaDraft): DeltaDraft | undefined {
    if (delta.type === 'tool_input_delta') return delta;
    if (this.#held.size === 0 && delta.text !== '' && !this.#secrets.mayHold(delta.text)) return delta;
    const name = nameOf(delta);
    const found = this.#held.get(name);
    const filter = found ?? new StreamingSecretFilter(this.#policy, delta.type === 'tool_output_delta');
    const text = filter.push(delta.text);
    if (filter.held === '') this.#held.delete(name);
    else this.#held.set(name, filter);
    return text === '' ? undefined : { ...delta, text };
  }

  /**
   * Cuts a partial text to what the user was shown. The filter does not recognize the beginning of a secret
   * alone.
   */
  asShown(draft: EventDraft): EventDraft {
    const held = this.#held.get('text_delta')?.held ?? '';
    if (draft.type !== 'text' || !draft.partial || !draft.content.endsWith(held)) return draft;
    this.#held.delete('text_delta');
    return { ...draft, content: draft.content.slice(0, draft.content.length - held.length) };
  }

  /** Releases the held-back text of the block that `draft` completes. */
  completed(draft: EventDraft): readonly DeltaDraft[] {
    if (this.#held.size === 0) return [];
    if (draft.type === 'request_ended') for (const type of REPLY) this.#held.delete(type);
    if (draft.type === 'text' || draft.type === 'reasoning')
      return this.#rest({ type: `${draft.type}_delta` });
    if (draft.type !== 'tool_result') return [];
    const { id } = draft;
    const result = this.#secrets.text(draft.result);
    return STREAMS.flatMap((stream) => this.#rest({ type: 'tool_output_delta', id, stream })).filter(
      // If the output was cut, its last word is missing from the result, because it may be half a secret.
      ({ text }) => result.includes(JSON.stringify(text).slice(1, -1)),
    );
  }

  #rest(source: Source): readonly TextDelta[] {
    const filter = this.#held.get(nameOf(source));
    this.#held.delete(nameOf(source));
    return filter ? [{ ...source, text: filter.end() }] : [];
  }
}

function nameOf(source: Source): string {
  return source.type === 'tool_output_delta' ? `${source.id} ${source.stream}` : source.type;
}
