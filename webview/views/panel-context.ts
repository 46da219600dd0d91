import { createContext, createMemo, useContext } from 'solid-js';
import type { PanelState } from '../../extension/protocol/messages.ts';
import type { Panel } from '../state/panel.ts';
import type { Part, View } from '../state/parts.ts';

export const PanelContext = createContext<Panel>();

export function usePanel(): Panel {
  const panel = useContext(PanelContext);
  if (panel === undefined) throw new Error('usePanel() outside of <App>');
  return panel;
}

/** Reads what the host said last; undefined before its first answer. */
export function usePanelState(): () => PanelState | undefined {
  const { store } = usePanel();
  return () => store.panel;
}

export function useView(): View {
  return usePanel().store.view;
}

/** Whether nothing came after `part`. */
export function createIsNewest(part: () => Part): () => boolean {
  const view = useView();
  return createMemo(() => view.sections.at(-1)?.rows.at(-1)?.parts.at(-1) === part());
}
