import { batch } from 'solid-js';
import { createStore, produce, reconcile, unwrap } from 'solid-js/store';
import { emptyHead, type Head } from '../../extension/protocol/head.ts';
import type { PanelState } from '../../extension/protocol/messages.ts';
import { emptyView, type View } from './parts.ts';
import type { PastMark, SyncTarget } from './sync-target.ts';

export interface PanelStore {
  readonly view: View;
  readonly head: Head;
  /** The number of snapshots that the host has sent. */
  readonly snapshots: number;
  /** Absent until the host's first answer. */
  readonly panel: PanelState | undefined;
  /** The past point that the view shows; undefined for the current state. */
  readonly past: PastMark | undefined;
}

/** The most unneeded sections that are kept, because the reader may return. */
const SPARE_SECTIONS = 40;

/** The session as the views read it. Parts keep their identity, so that only changed ones are redrawn. */
export function createPanelStore(): {
  store: PanelStore;
  target: SyncTarget;
  keepSections(needed: readonly number[]): void;
} {
  const [store, setStore] = createStore<{
    view: View;
    head: Head;
    snapshots: number;
    panel: PanelState | undefined;
    past: PastMark | undefined;
  }>({
    view: emptyView(),
    head: { ...emptyHead },
    snapshots: 0,
    panel: undefined,
    past: undefined,
  });
  const target: SyncTarget = {
    view: () => unwrap(store.view),
    replace: (view) => setStore('view', view),
    change: (edit) => batch(() => setStore('view', produce(edit))),
    // A pending approval keeps its card.
    setHead: (head) => setStore('head', reconcile(head)),
    countSnapshot: () => setStore('snapshots', (count) => count + 1),
    setPanel: (panel) => setStore('panel', panel),
    setPast: (mark) => setStore('past', mark),
  };
  const keepSections = (needed: readonly number[]) => {
    const count = Object.keys(store.view.sections).length;
    if (count > needed.length + SPARE_SECTIONS) target.change((view) => dropOthers(view, needed));
  };
  return { store, target, keepSections };
}

/** Never removes the newest section. */
function dropOthers({ sections, lines }: View, needed: readonly number[]): void {
  const kept = new Set([...needed, lines.length - 1]);
  for (const index of Object.keys(sections).map(Number)) if (!kept.has(index)) delete sections[index];
}
