// Changes a parsed piece of a cut text so that it continues what the piece before it began.
import type { Token } from 'markdown-it';
import type { Block } from './split-text.ts';

export type MarkdownPiece = Pick<Block, 'frame' | 'table'>;

const columns = new WeakMap<Token, readonly number[]>();
/** The most digits for which the margin of a list grows. */
const MOST_DIGITS = 6;

export function fitPiece(tokens: readonly Token[], { frame, table }: MarkdownPiece): void {
  const items = tokens.filter(({ type }) => type === 'list_item_open');
  for (const item of items.slice(0, frame.carried)) item.attrSet('class', 'carried');
  const lists = tokens.filter(({ type }) => type === 'ordered_list_open');
  frame.numbers.forEach((number, index) => {
    if (number !== 1) lists[index]?.attrSet('start', number);
  });
  if (table) fitTable(tokens, table);
}

/** The column widths in percent; empty for a table that is not cut. */
export function columnsOf(table: Token | undefined): readonly number[] {
  return (table && columns.get(table)) ?? [];
}

/** Marks a list whose numbers need more room than two digits. */
export function showDigits(tokens: readonly Token[]): void {
  tokens.forEach((token, index) => {
    if (token.type !== 'ordered_list_open') return;
    const { length } = String(lastNumber(tokens, token, index));
    if (length > 2) token.attrSet('class', `digits-${Math.min(length, MOST_DIGITS)}`);
  });
}

function lastNumber(tokens: readonly Token[], list: Token, index: number): number {
  const rest = tokens.slice(index + 1);
  const end = rest.findIndex(({ type, level }) => type === 'ordered_list_close' && level === list.level);
  const items = rest
    .slice(0, end)
    .filter(({ type, level }) => type === 'list_item_open' && level === list.level + 1);
  return Number(list.attrGet('start') ?? 1) + items.length - 1;
}

/** The first piece ends with its table, the others begin with theirs. */
function fitTable(tokens: readonly Token[], { shares, isRest }: NonNullable<MarkdownPiece['table']>): void {
  const tables = tokens.filter(({ type }) => type === 'table_open');
  const table = tables.at(isRest ? 0 : -1);
  table?.attrSet('class', isRest ? 'cut rest' : 'cut');
  if (table) columns.set(table, shares);
}
