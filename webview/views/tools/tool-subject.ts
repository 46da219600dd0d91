// What a call acts on, as the model named it: a path, a pattern, a command.

import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import { visibleText } from '../../text/plain-text.ts';

type Call = Pick<ToolPart, 'name' | 'input'>;
type Field = (key: string) => string;

/** Characters of one field that a line can hold. */
const LONGEST = 300;

type Subject = (field: Field, input: Readonly<Record<string, unknown>>) => string;

const subjects = new Map<string, Subject>([
  ['read', (field, input) => [field('path'), lineRange(input)].filter(Boolean).join(' ')],
  [
    'grep',
    (field, { recursive }) =>
      strings.searched(quoted(field('pattern')), searchedPath(field('path'), recursive)),
  ],
  ['bash', (field) => field('command')],
  ['write', (field) => field('path')],
  ['apply_patch', (_, { input }) => visibleText(cut(patchedFiles(input)))],
  ['move', (field) => [field('source'), field('destination')].filter(Boolean).join(' → ')],
]);

const patched = /^\*\*\* (?:Add|Delete|Update) File: (.+)/gm;

function patchedFiles(patch: unknown): string {
  return Array.from(String(patch).matchAll(patched), ([, path]) => path).join(', ');
}

/** On one line and cut, paths as people call them. */
export function subjectOf({ name, input = {} }: Call, roots: readonly string[] = []): string {
  const field = (key: string) => {
    const value = input[key];
    return typeof value === 'string'
      ? visibleText(cut(shorten(name === 'bash' ? withoutWay(value, roots) : value, roots)))
      : '';
  };
  return (subjects.get(name) ?? firstText)(field, input);
}

const pathTools = new Set(['read', 'list_dir', 'write', 'edit']);

/** Whether the end of the subject tells more than its beginning. */
export function isPath(name: string): boolean {
  return pathTools.has(name);
}

const firstText: Subject = (field, input) =>
  field('path') || field(Object.keys(input).find((key) => typeof input[key] === 'string') ?? '');

function shorten(text: string, roots: readonly string[]): string {
  if (roots.includes(text)) return '.';
  const root = roots.find((folder) => text.startsWith(`${folder}/`) || text.startsWith(`${folder}\\`));
  return root === undefined ? text : text.slice(root.length + 1);
}

/** A command runs in the workspace folder anyway; models begin it with `cd` all the same. */
function withoutWay(command: string, roots: readonly string[]): string {
  const [way = '', , folder = ''] = /^cd (["']?)(.+?)\1 && (?=\S)/.exec(command) ?? [];
  return roots.includes(folder) ? command.slice(way.length) : command;
}

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function quoted(text: string): string {
  return text && `"${text}"`;
}

/** Empty for the whole workspace. */
function searchedPath(path: string, recursive: unknown): string {
  if (recursive !== true) return path;
  return path === '.' || path === './' ? '' : path;
}

function lineRange({ start_line: start, end_line: end }: Readonly<Record<string, unknown>>): string {
  if (start === undefined && end === undefined) return '';
  return `${start ?? 1}-${end ?? ''}`;
}
