import type { ShownLines } from './line-view.ts';

/** The fields of a stored result. They may come from another version. */
export type ResultFields = Readonly<Record<string, unknown>>;

/** A call and its stored result. */
export interface RenderedCall {
  readonly name: string;
  readonly input: ResultFields;
  /** JSON. */
  readonly result: string;
  /** Unified diff of a change. */
  readonly diff?: string | undefined;
  /** Absolute path of the workspace folder, whose files are named relative to it. */
  readonly cwd: string;
  /** Characters that the model may read of this result. */
  readonly limit: number;
  /** Absolute path of a file with the whole text, if the rendering does not fit. */
  readonly rest?: string | undefined;
}

export interface Rendering {
  readonly text: string;
  /** The lines of the call's file that the text shows with their numbers. */
  readonly lines: readonly ShownLines[];
  /** Something of the result is left out. */
  readonly isCut: boolean;
}

/** Throws if the field is no text; `renderResult` then shows the JSON. */
export function textField(fields: ResultFields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new TypeError(`${name} is no text`);
  return value;
}

/** `text`, and the note of the result after it. */
export function withNote(text: string, { note }: ResultFields): string {
  return typeof note === 'string' ? `${text}${text === '' ? '' : '\n'}(${note})` : text;
}

/** The path as the model should use it: relative if it lies in the workspace folder. */
export function shortPath(path: string, cwd: string): string {
  if (cwd === '') return path;
  const folder = cwd.endsWith('/') || cwd.endsWith('\\') ? cwd : cwd + separatorOf(cwd);
  return path.startsWith(folder) && path.length > folder.length ? path.slice(folder.length) : path;
}

function separatorOf(cwd: string): string {
  return cwd.includes('\\') && !cwd.includes('/') ? '\\' : '/';
}
