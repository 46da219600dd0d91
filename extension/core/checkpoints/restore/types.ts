import type { FileState } from '../../../protocol/events.ts';
import type { BlobStore } from '../../ports/blob-store.ts';
import type { Beyond, FileTree } from '../../ports/file-tree.ts';

export type RestoreStep =
  /** The path is already as it was. */
  | { readonly kind: 'identical' }
  /** The path becomes what it was. */
  | { readonly kind: 'restore' }
  /**
   * The file becomes what it was, with the user's later edits. `why` it is not exactly that, as the end of a
   * sentence.
   */
  | {
      readonly kind: 'merge';
      readonly bytes: Uint8Array;
      readonly mode: number;
      readonly why?: string | undefined;
    }
  /**
   * The path was changed since in a way that cannot be merged with what it was. `why` adds a reason, as the
   * end of a sentence. `isUndone`: nothing that the session did since is left in the path.
   */
  | { readonly kind: 'conflict'; readonly why?: string | undefined; readonly isUndone?: true }
  /** Harness does not know what the path was, or what the session made of it. */
  | { readonly kind: 'unkept'; readonly why?: string | undefined }
  /** A directory that must stay, because something in it stays. */
  | { readonly kind: 'occupied' };

export interface PlannedRestore {
  /** Absolute. */
  readonly path: string;
  readonly then: FileState;
  readonly now: FileState;
  /** Nothing is at the path, because a file or a link above it is in the way. */
  readonly beyond?: Beyond | undefined;
  /** The file has other hard links, which may keep its current content. */
  readonly isLinked?: boolean | undefined;
  readonly step: RestoreStep;
}

/** Whether the restore leaves the path as it is, unless the user decides otherwise. */
export function leavesAsIs({ kind }: RestoreStep): boolean {
  return kind === 'conflict' || kind === 'unkept' || kind === 'occupied';
}

/** Whether nothing that the session did to the path is left in it. */
export function isUndone(step: RestoreStep): boolean {
  return step.kind === 'identical' || (step.kind === 'conflict' && step.isUndone === true);
}

export interface RestorePorts {
  readonly files: FileTree;
  readonly blobs: BlobStore;
}

/**
 * The user's decision for a path that was changed since: keep the user's version (`mine`), or `restore` the
 * earlier one.
 */
export type Choices = ReadonlyMap<string, 'mine' | 'restore'>;

/** A path that the restore changes. */
export interface RestoreTarget {
  readonly path: string;
  readonly now: FileState;
  readonly then: FileState;
  /** The merged content, with the user's edits. Set only for a merge. */
  readonly merged?: { readonly bytes: Uint8Array; readonly mode: number } | undefined;
}
