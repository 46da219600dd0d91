// Shows the session after an earlier event. Rebuilds the section of that event, and reuses the sections
// before it.
import type { SessionEvent } from '../../extension/protocol/events.ts';
import type { HostMessage, PastPoint } from '../../extension/protocol/messages.ts';
import { applyEvent } from './apply-event.ts';
import { emptySection, type Section, type View } from './parts.ts';
import type { SyncTarget } from './sync-target.ts';

export interface Past {
  take(message: Extract<HostMessage, { type: 'past' }>): void;
  /** Restores the previous view. Returns false if the past was not shown. */
  leave(): boolean;
}

export function createPast(target: SyncTarget): Past {
  /** The current view, stored while the past is shown. */
  let now: View | undefined;
  let shown: PastPoint | undefined;
  /** All events of the rebuilt section. */
  let events: readonly SessionEvent[] = [];

  const cut = (seq: number): Section => {
    const section = emptySection();
    for (const event of events) if (event.seq <= seq) applyEvent(section, event);
    return section;
  };
  /** The loaded sections before `index`. Leaves out the section that was cut until now. */
  const before = (index: number, current: View, { sections }: View): View['sections'] => {
    const held = { ...current.sections, [shown?.section ?? -1]: undefined, ...sections };
    const older = Object.entries(held).filter(([key, section]) => Number(key) < index && section);
    return Object.fromEntries(older) as View['sections'];
  };
  const goTo = (at: PastPoint) => {
    const current = target.view();
    now ??= { ...current };
    events = at.events ?? events;
    const section = cut(at.seq);
    if (shown?.section === at.section)
      target.change((view) => {
        view.sections[at.section] = section;
      });
    else
      target.replace({
        lines: [...now.lines.slice(0, at.section), at.lines],
        sections: { ...before(at.section, current, now), [at.section]: section },
        isEnd: false,
      });
    shown = at;
    target.setHead(at.head);
    const { seq, last, title, label } = at;
    target.setPast({ seq, last, title, label });
  };
  const leave = () => {
    if (!now) return false;
    target.replace(now);
    now = undefined;
    shown = undefined;
    target.setPast(undefined);
    return true;
  };
  return {
    take: ({ at }) => (at ? goTo(at) : leave()),
    leave,
  };
}
