// Renderings of the problems that an editor knows.
import { type RenderedCall, type ResultFields, shortPath } from './rendering.ts';

/** Characters of one message. */
const LONGEST = 500;
const MOST_NAMES = 10;

/** For the tool that asks for problems. */
export function renderProblems(fields: ResultFields, { cwd, input }: RenderedCall): string {
  const { rows, count } = problemRows(fields, cwd);
  const unchecked = uncheckedRows(fields, cwd);
  const isAll = input.path === undefined;
  if (count > 0) return [`${counted(count)}:`, ...rows, ...unchecked].join('\n');
  if (isAll)
    return ['No problems are known. Files that no tab shows may be unchecked.', ...unchecked].join('\n');
  return unchecked.length > 0 ? unchecked.join('\n') : 'No problems.';
}

/** `text`, and the problems that the change has caused. Unchanged where no editor is. */
export function withProblems(text: string, fields: ResultFields, cwd: string): string {
  if (!Array.isArray(fields.problems)) return text;
  const { rows, count } = problemRows(fields, cwd);
  const unchecked = uncheckedRows(fields, cwd);
  const found = count > 0 ? [`${counted(count, 'new ')}:`, ...rows] : [];
  const none = count === 0 && unchecked.length === 0 ? ['No new problems.'] : [];
  return [text.replace(/\n$/, ''), ...found, ...none, ...unchecked].join('\n');
}

function counted(count: number, kind = ''): string {
  return `${count} ${kind}problem${count === 1 ? '' : 's'}`;
}

function problemRows({ problems, moreProblems }: ResultFields, cwd: string) {
  if (!Array.isArray(problems)) throw new TypeError('problems is no list');
  const rows = problems.map((problem: unknown) => problemRow(problem, cwd));
  const more = typeof moreProblems === 'number' ? moreProblems : 0;
  return {
    rows: more > 0 ? [...rows, `... and ${more} more`] : rows,
    count: rows.length + more,
  };
}

/** `path:line:column: error: message (source code)`, as compilers print it. */
function problemRow(problem: unknown, cwd: string): string {
  if (typeof problem !== 'object' || problem === null) throw new TypeError('a problem is no object');
  const { path, line, column, severity, message, source, code } = problem as ResultFields;
  const text = String(message).replace(/\s*\n\s*/g, ' ');
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '')}…` : text;
  const origin = [source, code].filter((part) => typeof part === 'string').join(' ');
  const place = `${shortPath(String(path), cwd)}:${line}:${column}`;
  return `${place}: ${severity}: ${cut}${origin === '' ? '' : ` (${origin})`}`;
}

const REASONS: Readonly<Record<string, string>> = {
  closed: 'no tab shows it, and language servers check only such files',
  silent: 'no language server has answered in time',
};

function uncheckedRows({ notChecked }: ResultFields, cwd: string): string[] {
  if (!Array.isArray(notChecked)) return [];
  const files = notChecked.map((file: unknown) => Object(file) as ResultFields);
  return Object.entries(REASONS).flatMap(([why, reason]) => {
    const paths = files.filter((file) => file.why === why).map(({ path }) => shortPath(String(path), cwd));
    if (paths.length === 0) return [];
    const more = paths.length > MOST_NAMES ? ` and ${paths.length - MOST_NAMES} more` : '';
    return [`Not checked for problems: ${paths.slice(0, MOST_NAMES).join(', ')}${more} (${reason})`];
  });
}
