import type { EventDraft } from '../../protocol/events.ts';

/** Maps event numbers when a log is rewritten without some of its events. */
export class Renumbering {
  /** From event `from` on, numbers are lower by `less`. */
  readonly #steps: { readonly from: number; readonly less: number }[] = [];

  /** Records that event `old` gets the number `now`. The caller must report each event, in order. */
  note(old: number, now: number): void {
    const less = old - now;
    if (less !== (this.#steps.at(-1)?.less ?? 0)) this.#steps.push({ from: old, less });
  }

  /** `draft` with the new numbers of the events that it names. */
  apply(draft: EventDraft): EventDraft {
    switch (draft.type) {
      case 'compaction':
        return { ...draft, through: Math.max(1, this.#of(draft.through)) };
      case 'restored':
        return { ...draft, to: this.#of(draft.to) };
      case 'checkpoint': {
        const { restores } = draft;
        return restores ? { ...draft, restores: { ...restores, to: this.#of(restores.to) } } : draft;
      }
      default:
        return draft;
    }
  }

  /** The new number of `old`; if that event is missing, the number of the last event before it. */
  #of(old: number): number {
    const at = this.#steps.findLastIndex(({ from }) => from <= old);
    const [step, next] = [this.#steps[at], this.#steps[at + 1]];
    const number = old - (step?.less ?? 0);
    return next ? Math.min(number, next.from - next.less - 1) : number;
  }
}
