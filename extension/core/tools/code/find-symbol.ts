// Where the symbol is that a model names.
import { splitLines, withoutLineEnd } from '../../base/text/lines.ts';
import { cutAtWord } from '../../base/text/truncate.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { TextPosition } from '../../ports/language-servers.ts';
import type { KnownFile } from '../common/line-knowledge.ts';
import type { ToolContext } from '../common/tool.ts';

export interface WantedSymbol {
  readonly symbol: string;
  /** As the model read it. */
  readonly line?: number | undefined;
}

const SHOWN_WIDTH = 200;
const SHOWN_LINES = 20;

/** Throws `ToolError`, with the lines that have the symbol, unless exactly one place is meant. */
export function findSymbol(
  { withoutSecrets }: Pick<ToolContext, 'withoutSecrets'>,
  file: KnownFile,
  wanted: WantedSymbol,
): TextPosition {
  const lines = splitLines(file.text).map(withoutLineEnd);
  const columns = (line: number) => columnsOf(lines[line - 1] ?? '', wanted.symbol);
  const line = lineOf(file, wanted, lines, columns);
  const [first, ...more] = columns(line);
  if (first !== undefined && more.length === 0) return { line, column: first };
  const { symbol } = wanted;
  if (first !== undefined) {
    throw new ToolError(
      `symbol: “${symbol}” is on line ${line} more than once (columns ${[first, ...more].join(', ')}): give more of the ` +
        'line as the symbol, beginning with the one that you mean',
      { code: 'invalid_input' },
    );
  }
  const content = cutAtWord(withoutSecrets(lines[line - 1] ?? ''), SHOWN_WIDTH);
  throw new ToolError(
    `symbol: “${symbol}” is not on line ${line}, which is “${content}”; ${elsewhere(lines, symbol)}`,
    { code: 'not_found' },
  );
}

function lineOf(
  { path, view }: KnownFile,
  { symbol, line }: WantedSymbol,
  lines: readonly string[],
  columns: (line: number) => readonly number[],
): number {
  if (line === undefined) {
    const all = linesWith(lines, symbol);
    const [only] = all;
    if (only !== undefined && all.length === 1) return only;
    throw new ToolError(
      all.length === 0
        ? `symbol: “${symbol}” is not in ${path}`
        : `line: missing, and ${elsewhere(lines, symbol)}; give the line of the one that you mean`,
      { code: 'not_found' },
    );
  }
  // A number from another tool, such as a search, means the current line.
  const [moved = line] = [view.currentLines({ first: line, last: line })?.first];
  const meant = columns(moved).length === 0 && columns(line).length > 0 ? line : moved;
  if (meant >= 1 && meant <= lines.length) return meant;
  throw new ToolError(`line ${line} out of range (file has ${lines.length} lines)`, {
    code: 'invalid_input',
  });
}

function elsewhere(lines: readonly string[], symbol: string): string {
  const all = linesWith(lines, symbol);
  if (all.length === 0) return 'it is nowhere in the file';
  const more = all.length > SHOWN_LINES ? ` and ${all.length - SHOWN_LINES} more` : '';
  return `“${symbol}” is on ${all.length === 1 ? 'line' : 'lines'} ${all.slice(0, SHOWN_LINES).join(', ')}${more}`;
}

function linesWith(lines: readonly string[], symbol: string): number[] {
  return lines.flatMap((line, index) => (columnsOf(line, symbol).length > 0 ? [index + 1] : []));
}

/** Where the symbol begins as a whole word. Of `a.b.c`, the last name is meant. */
function columnsOf(line: string, symbol: string): number[] {
  const offset = /^[\p{L}\p{N}_$]+(\.[\p{L}\p{N}_$]+)+$/u.test(symbol) ? symbol.lastIndexOf('.') + 1 : 0;
  const columns: number[] = [];
  for (let at = line.indexOf(symbol); at >= 0; at = line.indexOf(symbol, at + 1)) {
    const end = at + symbol.length;
    if (!isWithinWord(line, at) && !isWithinWord(line, end)) columns.push(at + offset + 1);
  }
  return columns;
}

/** The characters before and after the index belong to one word. */
function isWithinWord(line: string, index: number): boolean {
  return /^[\p{L}\p{N}_$]{2}$/u.test(line.slice(Math.max(0, index - 1), index + 1));
}
