import { versionOf } from '../../base/content-hash.ts';
import type { Target } from '../../permission/action.ts';
import { ABSENT } from '../../ports/workspace.ts';
import type { FileBeforeChange } from '../common/file-change.ts';

export interface PlannedContent {
  readonly bytes: Uint8Array;
  /** Undefined if the file is binary. */
  readonly text: string | undefined;
}

/** A file before and after a patch. */
export interface PlannedFile {
  readonly target: Target;
  /** Undefined if there is no file. */
  readonly before: FileBeforeChange | undefined;
  readonly after: PlannedContent | undefined;
  /** The file on disk that is moved here; nothing is at its old path afterwards. */
  readonly from?: PlannedFile | undefined;
  /** The model knows all of its new text. */
  readonly isKnown: boolean;
}

export function versionBefore({ before }: PlannedFile): string {
  return before?.content.version ?? ABSENT;
}

export function versionAfter({ after }: PlannedFile): string {
  return after ? versionOf(after.bytes) : ABSENT;
}

/** Undefined if the file was binary, empty if there was none. For a moved file, the text at its old path. */
export function textBefore({ before, from }: PlannedFile): string | undefined {
  const source = from?.before ?? before;
  return source ? source.decoded?.text : '';
}

export function isChanged(file: PlannedFile): boolean {
  return file.from !== undefined || versionBefore(file) !== versionAfter(file);
}
