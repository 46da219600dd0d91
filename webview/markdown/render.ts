// Markdown to HTML that may be inserted: no HTML of the author, no remote resource, no address but http(s).
import MarkdownIt, { type Env, type RendererRule, type StateCore, type Token } from 'markdown-it';
import { strings } from '../strings.ts';

const markdown = new MarkdownIt({ html: false, linkify: true });
markdown.validateLink = (address) => /^https?:\/\/[^/\\]/i.test(address);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** The link definitions of a text, carried from block to block. */
export type Definitions = Pick<Env, 'references'>;

/** `definitions` are used and added to. */
export function renderMarkdown(source: string, definitions: Definitions): string {
  return markdown.render(source, definitions);
}

/** The language that a fence names: its first word, if it looks like one. */
export function fenceLanguage(info: string): string {
  return /^[\w+#.-]{1,40}/.exec(info)?.[0] ?? '';
}

const attribute = (name: string, value: string) => ` ${name}="${markdown.utils.escapeHtml(value)}"`;

// Without `href` nothing but our own click handler can open it: VS Code's page would follow any real link.
const openLink: RendererRule = (tokens, index) => {
  const address = String(tokens[index]?.attrGet('href') ?? '');
  return `<a role="link" tabindex="0"${attribute('data-href', address)}${attribute('title', address)}>`;
};

const image: RendererRule = (tokens, index) => {
  const token = tokens[index];
  const label = token?.content || strings.image;
  return `<span class="image-text"${attribute('title', String(token?.attrGet('src') ?? ''))}>${markdown.utils.escapeHtml(label)}</span>`;
};

const fence: RendererRule = (tokens, index) => {
  const token = tokens[index];
  const language = markdown.utils.escapeHtml(fenceLanguage(token?.info.trim() ?? ''));
  const code = markdown.utils.escapeHtml(token?.content ?? '');
  const copy = `<button type="button" class="copy" data-copy${attribute('aria-label', strings.copyCode)}>${strings.copy}</button>`;
  return `<figure class="code"><figcaption>${language}${copy}</figcaption><pre dir="ltr" tabindex="0"><code>${code}</code></pre></figure>`;
};

Object.assign(markdown.renderer.rules, {
  link_open: openLink,
  image,
  fence,
  code_block: fence,
  table_open: () => '<div class="table" tabindex="0"><table>',
  table_close: () => '</table></div>',
});

const directed = new Set([
  'paragraph_open',
  'heading_open',
  'list_item_open',
  'blockquote_open',
  'th_open',
  'td_open',
]);

/** Each block takes its direction from its own first letters. */
function setDirections({ tokens }: StateCore): void {
  for (const token of tokens) if (directed.has(token.type)) token.attrSet('dir', 'auto');
}

/** A column's alignment as an attribute: an inline style would be refused by the page's security policy. */
function alignCells({ tokens }: StateCore): void {
  for (const token of tokens.filter(({ type }) => type === 'th_open' || type === 'td_open')) {
    const alignment = String(token.attrGet('style') ?? '').replace('text-align:', '');
    token.attrs = alignment ? [['align', alignment]] : null;
  }
}

/** `- [x] done` shows a box. */
function showTasks({ tokens }: StateCore): void {
  tokens.forEach((token, index) => {
    if (token.type === 'inline' && tokens[index - 2]?.type === 'list_item_open')
      showTask(token.children?.[0]);
  });
}

function showTask(text: Token | undefined): void {
  const mark = /^\[([ xX])\] /.exec(text?.content ?? '')?.[1];
  if (text && mark) text.content = `${mark === ' ' ? '☐' : '☑'} ${text.content.slice(4)}`;
}

markdown.core.ruler.push('alignment', alignCells);
markdown.core.ruler.push('directions', setDirections);
markdown.core.ruler.push('tasks', showTasks);
