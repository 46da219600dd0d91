import { createStore, reconcile } from 'solid-js/store';
import type { Memory } from './persist.ts';

/** The parts that the user opened or closed. All others have their default. */
export interface Expanded {
  has(id: string, byDefault: boolean): boolean;
  set(id: string, open: boolean): void;
  clear(): void;
}

/** Stored in `memory`, so that it outlives the page. */
export function createExpanded(memory: Memory): Expanded {
  const [chosen, setChosen] = createStore<Record<string, boolean>>({ ...memory.saved.expanded });
  const save = () => memory.remember({ expanded: { ...chosen } });
  return {
    has: (id, byDefault) => chosen[id] ?? byDefault,
    set(id, open) {
      setChosen(id, open);
      save();
    },
    clear() {
      setChosen(reconcile({}));
      save();
    },
  };
}
