import { expect, test } from 'vitest';
import { fenceLanguage, renderMarkdown } from '../../webview/markdown/render.ts';

const render = (source: string) => renderMarkdown(source, {}).trim();

test('an http(s) link is an element without address of its own that shows the address', () => {
  const html = render('[docs](https://example.com/a?b=1)');
  expect(html).toContain(
    '<a role="link" tabindex="0" data-href="https://example.com/a?b=1" title="https://example.com/a?b=1">docs</a>',
  );
  expect(html).not.toContain(' href=');
});

test('plain addresses become links', () => {
  expect(render('see https://example.com now')).toContain('data-href="https://example.com"');
});

test.each([
  'javascript:alert(1)',
  'command:harness.setApiKey',
  'vscode:extension/x',
  'vscode://x/y',
  'file:///etc/passwd',
  'data:text/html,x',
  'mailto:a@b.c',
  'ftp://example.com',
  '//example.com',
  '\\\\host\\share',
  'https:/\\evil',
  'relative/path',
  '#top',
])('%s is no link', (address) => {
  expect(render(`[x](${address})`)).not.toContain('<a');
  expect(render(`<${address}>`)).not.toContain('<a');
  expect(render(`see ${address} now`)).not.toContain('<a');
});

test('an image is its label, and asks for nothing', () => {
  const html = render('![a chart](https://evil.example/x.png?secret)');
  expect(html).toContain('class="image-text"');
  expect(html).toContain('>a chart<');
  expect(html).not.toMatch(/<img|src=/);
});

test('a table is aligned without inline style', () => {
  const html = render('| a |\n| --: |\n| 1 |');
  expect(html).toContain('align="right"');
  expect(html).not.toContain('style=');
});

test('a fence in a list has its language and a copy button', () => {
  const html = render('- a\n  ```ts "><b>\n  1 < 2\n  ```');
  expect(html).toContain('<figcaption>ts<button');
  expect(html).toContain('1 &lt; 2');
  expect(html).not.toContain('<b>');
});

test('blocks take their direction from their text', () => {
  expect(render('שלום')).toBe('<p dir="auto">שלום</p>');
});

test('tasks show their box', () => {
  expect(render('- [x] done\n- [ ] open')).toMatch(/☑ done[\s\S]*☐ open/);
});

test('a definition serves the blocks after it', () => {
  const definitions = {};
  renderMarkdown('[a]: https://example.com', definitions);
  expect(renderMarkdown('see [a]', definitions)).toContain('data-href="https://example.com"');
});

test('the language of a fence is its first word', () => {
  expect(['ts', 'c++ {1}', '"><script>', ''].map(fenceLanguage)).toEqual(['ts', 'c++', '', '']);
});

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe src="https://evil.example">',
  '<style>@import "https://evil.example"</style>',
  '<link rel=dns-prefetch href=//evil.example>',
  '<video poster=https://evil.example>',
  '"><img src=x onerror=alert(1)>',
  '[a](https://x" onmouseover="alert(1))',
  '![a" onerror="alert(1)](https://x)',
  '[a](https://x "t\\" onclick=\\"alert(1)")',
  '<https://x"onmouseover=alert(1)>',
  '`<b>`',
  '&lt;script&gt;',
  '<base href=https://evil.example><form action=x><meta http-equiv=refresh>',
];

/** Every element and attribute that `renderMarkdown` may write. */
const allowedTag =
  /^<\/?(?:p|h[1-6]|ul|ol|li|blockquote|hr|br|em|strong|s|code|pre|a|span|div|table|thead|tbody|tr|th|td|figure|figcaption|button)(?: (?:dir|role|tabindex|data-href|title|class|align|start|type|data-copy|aria-label)(?:="[^"<>]*")?)*>$/;

test.each(attacks)('no markup but our own comes of %s', (attack) => {
  for (const source of [
    attack,
    `- ${attack}`,
    `| a |\n|---|\n| ${attack} |`,
    `# ${attack}`,
    `> ${attack}`,
    `a\n${attack}\n\n${attack}`,
  ]) {
    for (const tag of render(source).match(/<[^>]*>?/g) ?? []) expect(tag).toMatch(allowedTag);
  }
});
