import type { Head } from '../../extension/protocol/head.ts';
import type { PanelState, PastPoint } from '../../extension/protocol/messages.ts';
import type { View } from './parts.ts';

/** A past event with its description. */
export type PastMark = Pick<PastPoint, 'seq' | 'last' | 'title' | 'label'>;

/** The store that contains the view. */
export interface SyncTarget {
  /** The stored view, without tracking of changes. */
  view(): View;
  replace(view: View): void;
  change(edit: (view: View) => void): void;
  setHead(head: Head): void;
  setPanel(panel: PanelState): void;
  /** The past point that the view shows; undefined for the current state. */
  setPast(mark: PastMark | undefined): void;
  /** Call for each snapshot: earlier requests may be lost. */
  countSnapshot(): void;
}
