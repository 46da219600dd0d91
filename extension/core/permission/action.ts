// What a tool is about to do, resolved: the one thing that the gate decides on.
import { createHash } from 'node:crypto';
import { ABSENT } from '../ports/workspace.ts';

/** A path as it will be touched. */
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

/** What a patch does to one file. `before` and `after` are versions; `absent` where there is none. */
export interface PatchedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** Where it is moved from. */
  readonly from?: string | undefined;
}

/** `before` and `after` are versions (hashes) of the file's content. */
export type Action =
  /** `recursive`: everything below the targets too. */
  | ({ readonly kind: 'read'; readonly recursive?: boolean } & Touch)
  | ({
      readonly kind: 'write';
      readonly before: string;
      readonly after: string;
      readonly added: number;
      readonly removed: number;
      /** An editor holds changes to this file that are not on disk. */
      readonly unsaved: boolean;
    } & Touch)
  | ({ readonly kind: 'move'; readonly overwrites: boolean } & Touch)
  /** Several files at once; `targets` has all of them. */
  | ({
      readonly kind: 'patch';
      readonly files: readonly PatchedFile[];
      readonly added: number;
      readonly removed: number;
      readonly unsaved: boolean;
    } & Touch)
  | ({ readonly kind: 'run'; readonly command: string; readonly cwd: string } & Touch);

/** Those that are there no more afterwards, under no other name either. */
export function deletedFiles({ files }: Extract<Action, { kind: 'patch' }>): readonly PatchedFile[] {
  return files.filter(({ path, after }) => after === ABSENT && !files.some(({ from }) => from === path));
}

/** SHA-256 (hex) over everything that the action would do. An approval holds for this and nothing else. */
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
