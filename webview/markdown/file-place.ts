// Parses places in files as models write them: `src/a.ts`, `src/a.ts:10`, `src/a.ts:10:3`,
// `src/a.ts#L10-L20`.

export interface FilePlace {
  /** As written. The host resolves relative paths. */
  readonly path: string;
  /** From 1. */
  readonly line?: number;
  readonly column?: number;
}

const position =
  /(?::(\d{1,7})(?:-\d{1,7}|:(\d{1,7}))?|#L(\d{1,7})(?:C(\d{1,7}))?(?:-L?\d{1,7}(?:C\d{1,7})?)?)$/;
/** Matches only paths, never an address of another kind: no scheme, no host, no query. */
const path = /^(?:[A-Za-z]:[\\/]|\/(?!\/))?[^\s:?#<>"|*\\/][^:?#<>"|*\0\n]*$/;
/** A file name whose extension begins with a letter, with an optional folder before it. */
const fileName =
  /^(?:[A-Za-z]:[\\/]|\/|~\/)?(?:[\p{L}\p{N}_.@+-]+[\\/])*[\p{L}\p{N}_.@+-]*\.[A-Za-z]\w{0,9}$/u;
const LONGEST = 1_000;

/** The place that a link's target names, if it is a path. */
export function placeOfAddress(address: string): FilePlace | undefined {
  const place = address.length > LONGEST ? undefined : split(decode(address));
  if (!place || !path.test(place.path)) return undefined;
  // `tel:10` is not a file.
  return place.line === undefined || /[./\\]/.test(place.path) ? place : undefined;
}

/** The place that inline code names, if it is certainly a path: with a folder, or with a line. */
export function placeOfCode(code: string): FilePlace | undefined {
  const place = code.length > LONGEST ? undefined : split(code);
  if (!place || !fileName.test(place.path)) return undefined;
  return place.line !== undefined || /[\\/]/.test(place.path) ? place : undefined;
}

function split(written: string): FilePlace {
  const [found, line, column, lineOfHash, columnOfHash] = position.exec(written) ?? [];
  return {
    path: written.slice(0, written.length - (found?.length ?? 0)),
    ...numbered('line', line ?? lineOfHash),
    ...numbered('column', column ?? columnOfHash),
  };
}

function numbered(name: 'line' | 'column', digits: string | undefined): Partial<FilePlace> {
  return digits === undefined || Number(digits) === 0 ? {} : { [name]: Number(digits) };
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    // The address is not encoded and contains a percent sign.
    return address;
  }
}
