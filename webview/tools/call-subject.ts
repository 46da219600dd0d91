// The subject of a call as the model named it: a path, a pattern, a command.
import { visibleText } from '../text/plain-text.ts';

export type Input = Readonly<Record<string, unknown>>;
type Prepare = (text: string, roots: readonly string[]) => string;
/** The text of one field, on one line and shortened, with readable paths. Empty if it is not text. */
type Field = (key: string, prepare?: Prepare) => string;
export type Subject = (field: Field, input: Input) => string;

/** The most characters of one field in a line. */
const LONGEST = 300;

export function fieldReader(input: Input, roots: readonly string[]): Field {
  return (key, prepare = asItIs) => {
    const value = input[key];
    return typeof value === 'string' ? visibleText(cut(shorten(prepare(value, roots), roots))) : '';
  };
}

const asItIs: Prepare = (text) => text;

/** The path, or else the first text of the input. */
export const firstText: Subject = (field, input) =>
  field('path') || field(Object.keys(input).find((key) => typeof input[key] === 'string') ?? '');

const patched = /^\*\*\* (?:Add|Delete|Update) File: (.+)/gm;

export function patchedFiles(patch: unknown): string {
  return visibleText(cut(Array.from(String(patch).matchAll(patched), ([, path]) => path).join(', ')));
}

/**
 * Removes `cd` into a workspace folder. Models often begin with it, although a command already runs there.
 */
export const withoutWay: Prepare = (command, roots) => {
  const [way = '', , folder = ''] = /^cd (["']?)(.+?)\1 && (?=\S)/.exec(command) ?? [];
  return roots.includes(folder) ? command.slice(way.length) : command;
};

export function quoted(text: string): string {
  return text && `"${text}"`;
}

/** The folder and the glob of a search. Empty for the whole workspace. */
export function searchedPlace(path: string, glob: string, recursive: unknown): string {
  const isWhole = recursive === true && (path === '.' || path === './');
  if (glob === '') return isWhole ? '' : path;
  return isWhole || path === '' ? glob : `${path.replace(/\/$/, '')}/${glob}`;
}

export function lineRange({ start_line: start, end_line: end }: Input): string {
  if (start === undefined && end === undefined) return '';
  return `${start ?? 1}-${end ?? ''}`;
}

function shorten(text: string, roots: readonly string[]): string {
  if (roots.includes(text)) return '.';
  const root = roots.find((folder) => text.startsWith(`${folder}/`) || text.startsWith(`${folder}\\`));
  return root === undefined ? text : text.slice(root.length + 1);
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
