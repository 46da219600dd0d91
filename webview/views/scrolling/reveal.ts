import { createEffect, createSignal, untrack } from 'solid-js';
import type { SessionStore } from '../../state/store.ts';
import type { SectionWindow } from './section-window.ts';
import type { Follow } from './stick-to-end.ts';

export interface Reveal {
  /** Draws a section and its surroundings, and calls `arrive` when it stands in the page. The newest call counts. */
  goTo(section: number, arrive: () => void): void;
  /** It is not there yet: what is drawn has to stay. */
  isWaiting(): boolean;
  /** Goes nowhere any more. */
  cancel(): void;
}

interface Target {
  readonly section: number;
  readonly arrive: () => void;
}

export function createReveal(store: SessionStore, sections: SectionWindow, follow: Follow): Reveal {
  const [target, setTarget] = createSignal<Target>();
  createEffect(() => {
    const going = target();
    if (going === undefined || store.view.sections[going.section] === undefined) return;
    // What an effect changes is drawn after it.
    queueMicrotask(() => {
      if (untrack(target) !== going) return;
      setTarget(undefined);
      // As long as the end was in sight, it may have been followed again.
      follow.hold();
      going.arrive();
    });
  });
  return {
    goTo(section, arrive) {
      follow.hold();
      if (!untrack(sections.drawn).includes(section)) sections.show(section);
      setTarget({ section, arrive });
    },
    isWaiting: () => untrack(target) !== undefined,
    cancel: () => setTarget(undefined),
  };
}
