import { createContext, createMemo, useContext } from 'solid-js';
import type { PanelState } from '../../extension/protocol/messages.ts';
import type { Panel } from './panel.ts';
import { newestSection, type Part } from './parts.ts';

export const PanelContext = createContext<Panel>();

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('usePanel() outside of <App>');
  return panel;
}

/** Returns the host's last state; undefined before its first answer. */
export function usePanelState(): () => PanelState | undefined {
  const { store } = usePanel();
  return () => store.panel;
}

/** Whether `part` is the newest part. */
export function createIsNewest(part: () => Part): () => boolean {
  const { view } = usePanel().store;
  return createMemo(() => newestSection(view)?.rows.at(-1)?.parts.at(-1) === part());
}
