import type { ContextKind } from '../../protocol/context-kind.ts';

/** What the model must know of one kind. */
export interface ContextText {
  readonly kind: ContextKind;
  /** The whole text, with its tags. */
  readonly text: string;
  /** Absolute paths of the files that it was made from. */
  readonly sources?: readonly string[];
  /** A model that got no context of this kind assumes this text. */
  readonly implied?: true;
}

/** What the user wants for one prompt. */
export interface ContextWishes {
  /** The model gets neither the open file nor the selection. */
  readonly withoutOpenFile?: boolean | undefined;
}

/**
 * What a model must know at this moment, in the order in which it gets it; each kind at most once. `touched`:
 * absolute paths, links resolved, of the files that the session has read or written. Never rejects because of
 * a workspace's content. After an abort, the caller must ignore the result.
 */
export type ContextSource = (
  touched: readonly string[],
  signal: AbortSignal,
  wishes?: ContextWishes,
) => Promise<readonly ContextText[]>;
