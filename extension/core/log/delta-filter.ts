// What is shown while it grows loses its secrets too. What may be a part of one waits for the rest of it.
import type { DeltaDraft, EventDraft } from '../../protocol/events.ts';
import type { SecretFilter } from '../secrets/secret-filter.ts';
import { placeholderPolicy, type SecretPolicy, StreamingSecretFilter } from '../secrets/streaming-filter.ts';

type TextDelta = Extract<DeltaDraft, { text: string }>;
type Source = TextDelta extends infer D ? (D extends TextDelta ? Omit<D, 'text'> : never) : never;

const REPLY = ['text_delta', 'reasoning_delta'];
const STREAMS = ['stdout', 'stderr'] as const;

/** The deltas that it passes on, put together, are the beginning of what the log will say. The work for a delta does not grow. */
export class DeltaFilter {
  readonly #secrets: SecretFilter;
  readonly #policy: SecretPolicy;
  /** Texts of which something waits, by the name of their source. */
  readonly #held = new Map<string, StreamingSecretFilter>();

  constructor(secrets: SecretFilter) {
    this.#secrets = secrets;
    this.#policy = placeholderPolicy(secrets);
  }

  /** What can be shown now. Undefined where that is nothing. */
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

  /** Of words that were cut off, those that were passed on: the beginning of a secret alone is not known as one. */
  asShown(draft: EventDraft): EventDraft {
    const held = this.#held.get('text_delta')?.held ?? '';
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

  #rest(source: Source): readonly TextDelta[] {
    const filter = this.#held.get(nameOf(source));
    this.#held.delete(nameOf(source));
    return filter ? [{ ...source, text: filter.end() }] : [];
  }
}

function nameOf(source: Source): string {
  return source.type === 'tool_output_delta' ? `${source.id} ${source.stream}` : source.type;
}
