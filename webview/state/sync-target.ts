import type { Head } from '../../extension/protocol/head.ts';
import type { PanelState, PastPoint } from '../../extension/protocol/messages.ts';
import type { View } from './parts.ts';

/** An event of the past, in words. */
export type PastMark = Pick<PastPoint, 'seq' | 'last' | 'title' | 'label'>;

/** Where the view lives. */
export interface SyncTarget {
  /** As it is kept, without notice of changes. */
  view(): View;
  replace(view: View): void;
  change(edit: (view: View) => void): void;
  setHead(head: Head): void;
  setPanel(panel: PanelState): void;
  /** Where in the past the view stands; undefined for now. */
  setPast(mark: PastMark | undefined): void;
  /** What was asked for before may be lost. */
  countSnapshot(): void;
}
