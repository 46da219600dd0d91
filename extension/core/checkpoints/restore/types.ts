import type { FileState } from '../../../protocol/events.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Beyond, FileTree } from '../../ports/file-tree.ts';

export type RestoreStep =
  /** It is as it was. */
  | { readonly kind: 'identical' }
  /** It becomes what it was. */
  | { readonly kind: 'restore' }
  /** It becomes what it was, with what the user has done to it since. `why` not quite, as the end of a sentence. */
  | {
      readonly kind: 'merge';
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly why?: string | undefined;
    }
  /**
   * It was changed since in a way that cannot be joined with what it was. `why`, the end of a sentence, where there is more
   * to say. `isUndone`: what the session has done to it since is gone all the same.
   */
  | { readonly kind: 'conflict'; readonly why?: string | undefined; readonly isUndone?: true }
  /** What it was, or what it was made, is not known. */
  | { readonly kind: 'unkept'; readonly why?: string | undefined }
  /** A directory that holds what is not of the session. */
  | { readonly kind: 'occupied' };

export interface PlannedRestore {
  /** Absolute. */
  readonly path: string;
  readonly then: FileState;
  readonly now: FileState;
  /** Nothing is there, since something else is in the way of its path. */
  readonly beyond?: Beyond | undefined;
  /** The file has other names, too, which may keep what it holds now. */
  readonly isLinked?: boolean | undefined;
  readonly step: RestoreStep;
}

/** The restore leaves the path as it is, unless the user decides otherwise. */
export function leavesAsIs({ kind }: RestoreStep): boolean {
  return kind === 'conflict' || kind === 'unkept' || kind === 'occupied';
}

/** Nothing that the session has done to the path is left in it. */
export function isUndone(step: RestoreStep): boolean {
  return step.kind === 'identical' || (step.kind === 'conflict' && step.isUndone === true);
}

export interface RestorePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
}

/** What the user wants where a file was changed since in another way: their version, or the one of then. */
export type Choices = ReadonlyMap<string, 'mine' | 'restore'>;

/** A path that is to become something else. */
export interface RestoreTarget {
  readonly path: string;
  readonly now: FileState;
  readonly then: FileState;
  /** With the user's edits in it, of what is joined. */
  readonly merged?: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
}
