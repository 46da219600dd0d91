// What a tool is about to do, with paths resolved. The gate decides on this alone.
import { createHash } from 'node:crypto';
import { ABSENT } from '../ports/workspace.ts';

/** A path as the tool will touch it. */
export interface Target {
  /** Absolute, links resolved. */
  readonly path: string;
  /** As the model wrote it. */
  readonly given: string;
  readonly inWorkspace: boolean;
}

interface Touch {
  readonly tool: string;
  readonly targets: readonly Target[];
}

/** What a patch does to one file. `before` and `after` are versions; `absent` if there is no file. */
export interface PatchedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** The path that the file is moved from. */
  readonly from?: string | undefined;
}

/** A symbol that a language server renames wherever it is used. */
export interface SymbolRename {
  readonly symbol: string;
  readonly newName: string;
}

/** `before` and `after` are versions (hashes) of the file's content. */
export type Action =
  /** `recursive`: includes everything below the targets. */
  | ({ readonly kind: 'read'; readonly recursive?: boolean } & Touch)
  | ({
      readonly kind: 'write';
      readonly before: string;
      readonly after: string;
      readonly added: number;
      readonly removed: number;
      /** An editor has changes to this file that are not on disk. */
      readonly unsaved: boolean;
    } & Touch)
  | ({ readonly kind: 'move'; readonly overwrites: boolean } & Touch)
  /** Several files together; `targets` has all of them. */
  | ({
      readonly kind: 'patch';
      readonly files: readonly PatchedFile[];
      readonly rename?: SymbolRename;
      readonly added: number;
      readonly removed: number;
      readonly unsaved: boolean;
    } & Touch)
  | ({
      readonly kind: 'run';
      readonly command: string;
      readonly cwd: string;
      readonly background?: true;
    } & Touch);

/** Files that the patch deletes without moving them. */
export function deletedFiles({ files }: Extract<Action, { kind: 'patch' }>): readonly PatchedFile[] {
  return files.filter(({ path, after }) => after === ABSENT && !files.some(({ from }) => from === path));
}

/** SHA-256 (hex) over everything that the action would do. An approval is valid only for this hash. */
export function hashAction(action: Action): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(action)))
    .digest('hex');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)]);
}
