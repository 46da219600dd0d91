// Renderings of what `list_dir`, `grep` and `find_files` found.
import { formatSize } from '../base/text/format-size.ts';
import { type RenderedCall, type ResultFields, shortPath, textField, withNote } from './rendering.ts';

/** A line of `ls -al`: kind, mode, links, owner, group, size or device, date of three words, name. */
const ENTRY = /^([a-z-])\S{9}\S?\s+\d+\s+\S+\s+\S+\s+(\d+(?:,\s*\d+)?)\s+\S+\s+\S+\s+\S+ (.+)$/;

/** Names, sizes and kinds, because owner and date cost tokens. A tree, and lines of another form, stay. */
export function renderList(fields: ResultFields, { input }: RenderedCall): string {
  const lines = textField(fields, 'entries').split('\n');
  const isTree = typeof input.depth === 'number' && input.depth > 1;
  const shown = isTree ? lines.filter(Boolean) : lines.map(entryLine).filter((line) => line !== undefined);
  return withNote(shown.length > 0 ? shown.join('\n').trimEnd() : '(empty directory)', fields);
}

/** The names in the output of `ls -al`, sorted by their characters; directories end with a slash. */
export function namesInList(entries: string): readonly string[] {
  const named = entries.split('\n').flatMap((line) => {
    const [, kind, , name = ''] = ENTRY.exec(line) ?? [];
    return kind === undefined || name === '.' || name === '..' ? [] : [kind === 'd' ? `${name}/` : name];
  });
  return named.sort();
}

function entryLine(line: string): string | undefined {
  if (/^total \d+$/.test(line)) return undefined;
  const [, kind, size = '', name = ''] = ENTRY.exec(line) ?? [];
  if (kind === undefined) return line;
  if (name === '.' || name === '..') return undefined;
  if (kind === 'd') return `${name}/`;
  return kind === '-' ? `${name}  ${formatSize(Number(size))}` : name;
}

/** The matches below the path of their file, which is relative to the workspace folder. */
export function renderMatches(fields: ResultFields, { cwd, input }: RenderedCall): string {
  const matches = textField(fields, 'matches');
  if (matches === '') return withNote('No matches.', fields);
  // In a single file, no line has a path.
  const isOneFile = /^\d+[:-]/.test(matches);
  if (isOneFile || input.files_only === true) return withNote(relativeLines(matches, cwd), fields);
  const hasContext = typeof input.context === 'number' && input.context > 0;
  return withNote(grouped(matches.split('\n'), hasContext, cwd), fields);
}

export function renderPaths(fields: ResultFields, { cwd }: RenderedCall): string {
  const paths = textField(fields, 'paths');
  return withNote(paths === '' ? 'No files.' : relativeLines(paths, cwd), fields);
}

/** Each line that begins with a path in `cwd`, with that path relative to it. */
function relativeLines(text: string, cwd: string): string {
  return text
    .split('\n')
    .map((line) => shortPath(line, cwd))
    .join('\n');
}

interface Block {
  /** The file of all lines; undefined if it is not certain. */
  readonly path: string | undefined;
  readonly lines: string[];
}

/** Writes a path once above all lines of its file. Lines whose path is not certain stay as they are. */
function grouped(lines: readonly string[], hasContext: boolean, cwd: string): string {
  const rows: string[] = [];
  let current: string | undefined;
  for (const { path, lines: own } of hasContext ? separated(lines) : byFile(lines)) {
    const isSame = path !== undefined && path === current;
    if (rows.length > 0) rows.push(isSame ? '--' : '');
    if (path !== undefined && !isSame) rows.push(shortPath(path, cwd));
    const start = path === undefined ? 0 : path.length + 1;
    rows.push(...own.map((line) => (start > 0 ? line.slice(start) : shortPath(line, cwd))));
    current = path;
  }
  return rows.join('\n');
}

function byFile(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (const line of lines) {
    const path = matchedPath(line);
    const last = blocks.at(-1);
    if (last && last.path === path) last.lines.push(line);
    else blocks.push({ path, lines: [line] });
  }
  return blocks;
}

/** With context lines, `--` separates the lines of two files too. */
function separated(lines: readonly string[]): Block[] {
  const blocks: string[][] = [[]];
  for (const line of lines) {
    if (line === '--' || line.startsWith('... (')) blocks.push(line === '--' ? [] : [line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.map((block) => ({ path: commonPath(block), lines: block }));
}

/** Lines before the first match of a block, at most. */
const MOST_BEFORE = 20;

function commonPath(block: readonly string[]): string | undefined {
  return block
    .slice(0, MOST_BEFORE + 1)
    .map(matchedPath)
    .find((path) => path !== undefined && block.every((line) => isRowOf(line, path)));
}

function matchedPath(line: string): string | undefined {
  return /^(.+?):\d+:/.exec(line)?.[1];
}

function isRowOf(line: string, path: string): boolean {
  return line.startsWith(path) && /^[:-]\d+[:-]/.test(line.slice(path.length, path.length + 20));
}
