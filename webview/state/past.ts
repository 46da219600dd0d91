// The session as it was after an event: the section that it ended in then is folded anew, those before it are as now.
import type { SessionEvent } from '../../extension/protocol/events.ts';
import type { HostMessage, PastPoint } from '../../extension/protocol/messages.ts';
import { applyEvent } from './apply-event.ts';
import { emptySection, type Section, type View } from './parts.ts';
import type { SyncTarget } from './sync-target.ts';

export interface Past {
  take(message: Extract<HostMessage, { type: 'past' }>): void;
  /** The view is again what it was before. False where it was that already. */
  leave(): boolean;
}

export function createPast(target: SyncTarget): Past {
  /** What stands aside meanwhile. */
  let now: View | undefined;
  let shown: PastPoint | undefined;
  /** Of the section that is cut: all there are. */
  let events: readonly SessionEvent[] = [];

  const cut = (seq: number): Section => {
    const section = emptySection();
    for (const event of events) if (event.seq <= seq) applyEvent(section, event);
    return section;
  };
  /** What the page holds of the sections before `index`; that which was cut until now counts no more. */
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
