import { createEffect, createSignal, untrack } from 'solid-js';
import type { Reading } from '../state/persist.ts';
import type { SessionStore } from '../state/store.ts';
import type { Follow } from './follow.ts';
import type { SectionWindow } from './section-window.ts';

export interface Reveal {
  /** Goes to a place in the session, as soon as its section is there. */
  goTo(reading: Reading): void;
  /** It is not there yet: what is drawn has to stay. */
  isWaiting(): boolean;
}

export function createReveal(store: SessionStore, sections: SectionWindow, follow: Follow): Reveal {
  const [target, setTarget] = createSignal<Reading>();
  createEffect(() => {
    const reading = target();
    if (reading === undefined || store.view.sections[reading.section] === undefined) return;
    // What an effect changes is drawn after it.
    queueMicrotask(() => {
      setTarget(undefined);
      follow.goTo(reading);
    });
  });
  return {
    goTo(reading) {
      follow.hold();
      sections.show(reading.section);
      setTarget(reading);
    },
    isWaiting: () => untrack(target) !== undefined,
  };
}
