import Parser, { type RendererRule, type StateCore } from 'markdown-it';
import { escapeHtml, escapeLabel, preformatted } from './escape.ts';

const parser = new Parser({ html: false, linkify: false });
parser.validateLink = (address) => /^(?:https?:\/\/|mailto:)/i.test(address);
parser.core.ruler.push('headings', nestHeadings);

/**
 * Converts Markdown to HTML that loads and runs nothing. Each line stays a line. `#` becomes `<h4>`, because
 * the page's headings end at `<h3>`.
 */
export function wordsHtml(markdown: string): string {
  const tokens = parser.parse(markdown, {});
  // The parser drops deeper nesting.
  const isTooDeep = tokens.some(({ level }) => level >= parser.options.maxNesting - 1);
  if (isTooDeep) return preformatted(markdown, 'Text');
  return parser.renderer.render(tokens, parser.options, {}).trimEnd();
}

/** Screen readers navigate by headings, so the result skips no level. */
function nestHeadings({ tokens }: StateCore): void {
  const open: number[] = [];
  for (const token of tokens.filter(({ type }) => type.startsWith('heading_'))) {
    const level = Number(token.tag.slice(1));
    if (token.nesting === 1) {
      while ((open.at(-1) ?? 0) >= level) open.pop();
      open.push(level);
    }
    token.tag = `h${Math.min(6, 3 + open.length)}`;
  }
}

const code: RendererRule = (tokens, index) => {
  const { content = '', info = '' } = tokens[index] ?? {};
  const [language] = /^[\w+#.-]{1,40}/.exec(info.trim()) ?? [];
  return `${preformatted(content, language ?? 'Code')}\n`;
};

/** Shows the source, because the page loads nothing. */
const image: RendererRule = (tokens, index) => {
  const token = tokens[index];
  return escapeHtml(`![${token?.content}](${token?.attrGet('src')})`);
};

Object.assign(parser.renderer.rules, {
  text: (tokens, index) => escapeHtml(tokens[index]?.content ?? ''),
  code_inline: (tokens, index) => `<code>${escapeHtml(tokens[index]?.content ?? '')}</code>`,
  fence: code,
  code_block: code,
  image,
  softbreak: () => '<br>',
  hardbreak: () => '<br>',
} satisfies Record<string, RendererRule>);

parser.renderer.renderAttrs = ({ attrs }) =>
  (attrs ?? []).map(([name, value]) => ` ${name}="${escapeLabel(String(value))}"`).join('');
