// Changes a parsed text before it becomes HTML.
import type { MarkdownIt, StateCore, Token } from 'markdown-it';

export function addTokenRules({ core }: MarkdownIt): void {
  core.ruler.push('alignment', alignCells);
  core.ruler.push('widths', widenCells);
  core.ruler.push('directions', setDirections);
  core.ruler.push('tasks', showTasks);
}

/** Sets a column's alignment as an attribute, because the page's security policy forbids inline styles. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens.filter(({ type }) => type === 'th_open' || type === 'td_open')) {
    const alignment = String(token.attrGet('style') ?? '').replace('text-align:', '');
    token.attrs = alignment ? [['align', alignment]] : null;
  }
}

/** Characters. A shorter cell stays in one line if there is room. */
const SHORT_CELL = 14;

/** Gives longer cells some room beside others. */
function widenCells({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    const isCell = token.type === 'th_open' || token.type === 'td_open';
    if (isCell && (tokens[index + 1]?.content.length ?? 0) > SHORT_CELL) token.attrSet('class', 'long');
  });
}

/**
 * Each outermost block takes its text direction from its own first letters. Inside it, style sheets do this
 * for each line.
 */
function setDirections({ tokens }: StateCore): void {
  for (const token of tokens) {
    if (token.level === 0 && token.nesting === 1) token.attrSet('dir', 'auto');
  }
}

/** `- [x] done` shows a box instead of the item's mark. */
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
