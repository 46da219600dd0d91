// Walking through earlier prompts in the input, with the unsent draft at the newer end.

export interface PromptHistory {
  /** The prompt before the one that is shown; undefined at the oldest. `current` is kept as the draft where it is one. */
  older(current: string): string | undefined;
  /** The prompt after the one that is shown, at last the draft; undefined where the draft is already shown. */
  newer(): string | undefined;
  /** What was typed and not sent, while an earlier prompt stands in its place. */
  hiddenDraft(): string | undefined;
  /** The next walk begins at the newest again. */
  reset(): void;
}

/** `entries`: earlier prompts, oldest first. */
export function createPromptHistory(entries: () => readonly string[]): PromptHistory {
  let back = 0;
  let draft = '';
  return {
    older(current) {
      const entry = entries().at(-1 - back);
      if (entry === undefined) return undefined;
      if (back === 0) draft = current;
      back += 1;
      return entry;
    },
    newer() {
      if (back === 0) return undefined;
      back -= 1;
      return back === 0 ? draft : entries().at(-back);
    },
    hiddenDraft: () => (back === 0 ? undefined : draft),
    reset() {
      back = 0;
    },
  };
}
