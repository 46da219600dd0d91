import { versionOf } from '../../base/content-hash.ts';
import type { Target } from '../../permission/action.ts';
import { ABSENT } from '../../ports/workspace.ts';
import type { CurrentFile } from '../common/file-change.ts';

export interface Content {
  readonly bytes: Uint8Array;
  /** Undefined where it is binary. */
  readonly text: string | undefined;
}

/** A file as a patch finds it and as it leaves it. */
export interface PlannedFile {
  readonly target: Target;
  /** Undefined where there is none. */
  readonly before: CurrentFile | undefined;
  readonly after: Content | undefined;
  /** The file on disk that it was, under another path that has none afterwards. */
  readonly from?: PlannedFile | undefined;
  /** The model knows the whole of what it will say. */
  readonly isKnown: boolean;
}

export function versionBefore({ before }: PlannedFile): string {
  return before?.content.version ?? ABSENT;
}

export function versionAfter({ after }: PlannedFile): string {
  return after ? versionOf(after.bytes) : ABSENT;
}

/** Undefined where it was binary, empty where there was none. A moved file has its text from where it was. */
export function textBefore({ before, from }: PlannedFile): string | undefined {
  const source = from?.before ?? before;
  return source ? source.decoded?.text : '';
}

export function isChanged(file: PlannedFile): boolean {
  return file.from !== undefined || versionBefore(file) !== versionAfter(file);
}
