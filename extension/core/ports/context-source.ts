import type { ContextKind } from './model.ts';

/** What the model has to know of one kind. */
export interface ContextText {
  readonly kind: ContextKind;
  /** Whole, with the tags around it. */
  readonly text: string;
  /** Absolute paths of the files that it was made from. */
  readonly sources?: readonly string[];
  /** A model that was told nothing of this kind takes it for granted. */
  readonly implied?: true;
}

/**
 * What a model has to know at this moment, in the order in which it is told; each kind at most once. `touched` are absolute
 * paths, without links, of the files that the session has read or written. Never rejects for what a workspace holds; what it
 * resolves with after an abort is worth nothing.
 */
export type ContextSource = (
  touched: readonly string[],
  signal: AbortSignal,
) => Promise<readonly ContextText[]>;
