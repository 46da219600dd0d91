import { createEffect, createSignal, untrack } from 'solid-js';
import type { PanelStore } from '../../state/store.ts';
import type { SectionWindow } from './section-window.ts';
import type { Follow } from './stick-to-end.ts';

export interface Reveal {
  /**
   * Draws a section and its surroundings, and calls `arrive` when it is in the page. A newer call replaces
   * it.
   */
  goTo(section: number, arrive: () => void): void;
  /** The target is not in the page yet, so the drawn content must stay. */
  isWaiting(): boolean;
  /** Drops the target. */
  cancel(): void;
}

interface Target {
  readonly section: number;
  readonly arrive: () => void;
}

export function createReveal(store: PanelStore, sections: SectionWindow, follow: Follow): Reveal {
  const [target, setTarget] = createSignal<Target>();
  createEffect(() => {
    const going = target();
    if (going === undefined || store.view.sections[going.section] === undefined) return;
    // Changes by an effect are drawn after it.
    queueMicrotask(() => {
      if (untrack(target) !== going) return;
      setTarget(undefined);
      // While the end was visible, it may have been followed again.
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
