// Steps through earlier prompts in the input. The unsent draft is at the newer end.

interface PromptHistory {
  /** The prompt before the shown one; undefined at the oldest. Stores `current` if it is the draft. */
  older(current: string): string | undefined;
  /** The prompt after the shown one, and finally the draft; undefined if the draft is shown. */
  newer(): string | undefined;
  /** The draft while an earlier prompt replaces it. */
  hiddenDraft(): string | undefined;
  /** The next step starts at the newest prompt again. */
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
