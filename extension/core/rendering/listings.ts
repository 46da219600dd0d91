// Renderings of what `list_dir` and `grep` found.
import { formatSize } from '../base/text/format-size.ts';
import { type RenderedCall, type ResultFields, shortPath, textField, withNote } from './rendering.ts';

/** A line of `ls -al`: kind, mode, links, owner, group, size or device, date of three words, name. */
const ENTRY = /^([a-z-])\S{9}\S?\s+\d+\s+\S+\s+\S+\s+(\d+(?:,\s*\d+)?)\s+\S+\s+\S+\s+\S+ (.+)$/;

/** Names, sizes and kinds, because owner and date cost tokens. Lines of another form stay. */
export function renderList(fields: ResultFields): string {
  const lines = textField(fields, 'entries').split('\n').map(entryLine);
  const shown = lines.filter((line) => line !== undefined);
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

/** The matches with paths relative to the workspace folder. */
export function renderMatches(fields: ResultFields, { cwd }: RenderedCall): string {
  const matches = textField(fields, 'matches');
  if (matches === '') return withNote('No matches.', fields);
  return withNote(relativeLines(matches, cwd), fields);
}

/** Each line that begins with a path in `cwd`, with that path relative to it. */
function relativeLines(text: string, cwd: string): string {
  return text
    .split('\n')
    .map((line) => shortPath(line, cwd))
    .join('\n');
}
