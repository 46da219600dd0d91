// What is changed of a parsed text before it becomes HTML.
import type { MarkdownIt, StateCore, Token } from 'markdown-it';

export function addTokenRules({ core }: MarkdownIt): void {
  core.ruler.push('alignment', alignCells);
  core.ruler.push('widths', widenCells);
  core.ruler.push('directions', setDirections);
  core.ruler.push('tasks', showTasks);
}

/** A column's alignment as an attribute: an inline style would be refused by the page's security policy. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens.filter(({ type }) => type === 'th_open' || type === 'td_open')) {
    const alignment = String(token.attrGet('style') ?? '').replace('text-align:', '');
    token.attrs = alignment ? [['align', alignment]] : null;
  }
}

/** Characters of a cell that stay in one line wherever there is room for them. */
const SHORT_CELL = 14;

/** A longer cell gets some room beside others. */
function widenCells({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const isCell = token.type === 'th_open' || token.type === 'td_open';
    if (isCell && (tokens[index + 1]?.content.length ?? 0) > SHORT_CELL) token.attrSet('class', 'long');
  });
}

/** Each outermost block takes its direction from its own first letters; within it, style sheets do the same by line. */
function setDirections({ tokens }: StateCore): void {
  for (const token of tokens) {
    if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
  }
}

/** `- [x] done` shows a box, instead of the item's mark. */
function showTasks({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const item = tokens[index - 2];
    if (token.type === 'inline' && item?.type === 'list_item_open') showTask(item, token.children?.[0]);
  });
}

function showTask(item: Token, text: Token | undefined): void {
  const mark = /^\[([ xX])\] /.exec(text?.content ?? '')?.[1];
  if (!text || !mark) return;
  item.attrSet('class', 'task');
  text.content = `${mark === ' ' ? '☐' : '☑'} ${text.content.slice(4)}`;
}
