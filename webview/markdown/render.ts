// Renders Markdown to HTML that is safe to insert: no HTML of the author, no remote resources, and only
// http(s) addresses and files.
import type { Env, MarkdownIt, RendererRule, Token } from 'markdown-it';
import { strings } from '../l10n/strings.ts';
import { allowEmphasisWithoutSpaces } from './emphasis.ts';
import { type FilePlace, placeOfAddress, placeOfCode } from './file-place.ts';
import { columnsOf, fitPiece, type MarkdownPiece, showDigits } from './piece-rules.ts';
import { addTokenRules } from './token-rules.ts';

let markdown: MarkdownIt;

/**
 * Loads the parser. Await this before the other functions of this module. Nothing else in the page has to
 * wait for it.
 */
export async function loadMarkdown(): Promise<void> {
  const { default: Parser } = await import('./parser.ts');
  markdown = new Parser({ html: false, linkify: true });
  markdown.validateLink = (address) => isRemote(address) || placeOfAddress(address) !== undefined;
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  allowEmphasisWithoutSpaces(markdown);
  addTokenRules(markdown);
  markdown.renderer.renderToken = renderToken;
  Object.assign(markdown.renderer.rules, rules);
}

/** The link definitions of a text, passed from block to block. */
export type Definitions = Pick<Env, 'references'>;

/** Uses `definitions` and adds to them. */
export function renderMarkdown(source: string, definitions: Definitions, piece?: MarkdownPiece): string {
  const tokens = markdown.parse(source, definitions);
  if (piece) fitPiece(tokens, piece);
  showDigits(tokens);
  return markdown.renderer.render(tokens, markdown.options, definitions);
}

/** Parses `source` for callers that do not draw it. */
export function parseMarkdown(source: string): readonly Token[] {
  return markdown.parse(source, {});
}

/** The language of a fence: the first word of its info string, if it looks like a language. */
export function fenceLanguage(info: string): string {
  return /^[\w+#.-]{1,40}/.exec(info)?.[0] ?? '';
}

function isRemote(address: string): boolean {
  return /^https?:\/\/[^/\\]/i.test(address);
}

function attribute(name: string, value: string | number | undefined): string {
  return value === undefined ? '' : ` ${name}="${escapeHtml(String(value))}"`;
}

// Without `href`, so that only our click handler can open it. VS Code's page would follow a real link.
function openRemote(address: string): string {
  return `<a role="link" tabindex="0"${attribute('data-href', address)}${attribute('title', address)}>`;
}

function openPlace({ path, line, column }: FilePlace): string {
  const title = [path, line, column].filter((part) => part !== undefined).join(':');
  const place =
    attribute('data-path', path) + attribute('data-line', line) + attribute('data-column', column);
  return `<a role="link" tabindex="0"${place}${attribute('title', title)}>`;
}

const openLink: RendererRule = (tokens, index) => {
  const address = String(tokens[index]?.attrGet('href') ?? '');
  const place = isRemote(address) ? undefined : placeOfAddress(address);
  return place ? openPlace(place) : openRemote(address);
};

/** Code that names a file opens it, unless it is already in a link. */
const inlineCode: RendererRule = (tokens, index) => {
  const content = tokens[index]?.content ?? '';
  const code = `<code>${escapeHtml(content)}</code>`;
  const place = isInLink(tokens, index) ? undefined : placeOfCode(content);
  return place ? `${openPlace(place)}${code}</a>` : code;
};

function isInLink(tokens: readonly Token[], index: number): boolean {
  const before = tokens.slice(0, index).findLast(({ type }) => type === 'link_open' || type === 'link_close');
  return before?.type === 'link_open';
}

const image: RendererRule = (tokens, index) => {
  const token = tokens[index];
  const label = token?.content || strings.image;
  return `<span class="image-text"${attribute('title', String(token?.attrGet('src') ?? ''))}>${escapeHtml(label)}</span>`;
};

const fence: RendererRule = (tokens, index) => {
  const token = tokens[index];
  const language = escapeHtml(fenceLanguage(token?.info.trim() ?? ''));
  const code = escapeHtml(token?.content ?? '');
  const copy = `<button type="button" class="copy" data-copy${attribute('aria-label', strings.copyCode)}>${strings.copy}</button>`;
  return `<figure class="code"><figcaption>${language}${copy}</figcaption><pre dir="ltr" tabindex="0"><code data-language="${language}">${code}</code></pre></figure>`;
};

const openTable: RendererRule = (tokens, index, _options, _env, renderer) => {
  const token = tokens[index];
  const columns = columnsOf(token).map((share) => `<col${attribute('width', `${share}%`)}>`);
  return `<div class="table" tabindex="0"><table${token ? renderer.renderAttrs(token) : ''}>${columns.join('')}`;
};

/** Leaves out the line breaks between elements, which would be a third of all nodes in the page. */
const renderToken: MarkdownIt['renderer']['renderToken'] = (tokens, index) => {
  const token = tokens[index];
  if (!token || token.hidden) return '';
  return token.nesting === -1 ? `</${token.tag}>` : `<${token.tag}${markdown.renderer.renderAttrs(token)}>`;
};

const rules: Readonly<Record<string, RendererRule>> = {
  link_open: openLink,
  code_inline: inlineCode,
  image,
  fence,
  code_block: fence,
  table_open: openTable,
  table_close: () => '</table></div>',
};

function escapeHtml(text: string): string {
  return markdown.utils.escapeHtml(text);
}
