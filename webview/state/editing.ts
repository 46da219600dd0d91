import { type Accessor, createSignal } from 'solid-js';
import type { Memory } from './persist.ts';

/** An earlier prompt is in the input, to be run again from there in other words. */
export interface Editing {
  /** Sequence number of that prompt; undefined where the input holds a new one. */
  readonly before: Accessor<number | undefined>;
  /** Puts the prompt into the input; what was there comes back at the end. */
  begin(before: number, text: string): void;
  /** False where nothing was edited. */
  end(): boolean;
}

/** `replaceInput` puts a text in the place of what is in the input. */
export function createEditing(memory: Memory, replaceInput: (text: string) => void): Editing {
  const [state, setState] = createSignal(memory.saved.editing);
  const change = (editing: ReturnType<typeof state>) => {
    setState(editing);
    memory.remember({ editing });
  };
  return {
    before: () => state()?.before,
    begin(before, text) {
      change({ before, draft: state()?.draft ?? memory.saved.draft });
      replaceInput(text);
    },
    end() {
      const editing = state();
      if (editing === undefined) return false;
      change(undefined);
      replaceInput(editing.draft);
      return true;
    },
  };
}
