// The spoken form of a block of an answer: its words without the marks of Markdown.
import type { Token } from 'markdown-it';
import { strings } from '../l10n/strings.ts';
import { parseMarkdown } from '../markdown/render.ts';
import type { Block } from '../markdown/split-text.ts';

/** Lines and characters. Longer code is only announced by its size. */
const SHORT_CODE = { lines: 3, characters: 200 };
/** Rows without the head. A longer table is only announced by its size. */
const SHORT_TABLE = 8;

/** Empty if there is nothing to announce. */
export function spokenBlock({ kind, source }: Block): string {
  return kind === 'fence' ? spokenCode(source) : spokenTokens(parseMarkdown(source));
}

function spokenCode(source: string): string {
  const code = source.trimEnd();
  const lines = code.split('\n').length;
  const heading = strings.codeBlock(lines);
  const isShort = lines <= SHORT_CODE.lines && code.length <= SHORT_CODE.characters;
  return isShort && code !== '' ? `${heading}\n${code}` : heading;
}

function spokenTokens(tokens: readonly Token[]): string {
  const lines: string[] = [];
  let mark = '';
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.type === 'table_open') {
      const end = tokens.findIndex(({ type }, at) => at > index && type === 'table_close');
      lines.push(spokenTable(tokens.slice(index, end)));
      index = end;
    } else if (token?.type === 'list_item_open') mark = token.info === '' ? '' : `${token.info}. `;
    else if (token?.type === 'inline') {
      lines.push(mark + spokenInline(token));
      mark = '';
    } else if (token?.type === 'fence' || token?.type === 'code_block') lines.push(spokenCode(token.content));
  }
  return lines.filter((line) => line.trim() !== '').join('\n');
}

function spokenTable(tokens: readonly Token[]): string {
  const rows: string[][] = [];
  for (const token of tokens) {
    if (token.type === 'tr_open') rows.push([]);
    else if (token.type === 'inline') rows.at(-1)?.push(spokenInline(token));
  }
  const heading = strings.tableRows(rows.length - 1);
  const isShort = rows.length - 1 <= SHORT_TABLE;
  return isShort ? [heading, ...rows.map((cells) => cells.join(', '))].join('\n') : heading;
}

/** A link by reference in text, `[words][name]`, because its address often comes last. */
const reference = /(?<![\w\]])\[([^[\]\n]+)\]\[[^[\]\n]*\]/g;

function spokenInline({ children }: Token): string {
  return (children ?? [])
    .map(({ type, content }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      return type === 'text' ? content.replace(reference, '$1') : content;
    })
    .join('');
}
