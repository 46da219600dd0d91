import { batch } from 'solid-js';
import { createStore, produce } from 'solid-js/store';
import type { PanelState } from '../../extension/protocol/messages.ts';
import { emptyView, type View } from './parts.ts';
import type { SyncTarget } from './sync.ts';

export interface SessionStore {
  readonly view: View;
  /** Absent until the host has answered for the first time. */
  readonly panel: PanelState | undefined;
}

/** The session as the views read it. Parts keep their identity; only what changed is drawn again. */
export function createSessionStore(): { store: SessionStore; target: SyncTarget } {
  const [store, setStore] = createStore<{ view: View; panel: PanelState | undefined }>({
    view: emptyView(),
    panel: undefined,
  });
  const target: SyncTarget = {
    replace: (view) => setStore('view', view),
    change: (edit) => batch(() => setStore('view', produce(edit))),
    setPanel: (panel) => setStore('panel', panel),
  };
  return { store, target };
}
