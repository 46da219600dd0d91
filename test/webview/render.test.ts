import { expect, test } from 'vitest';
import { NO_FRAME } from '../../webview/markdown/containers.ts';
import { fenceLanguage, loadMarkdown, renderMarkdown } from '../../webview/markdown/render.ts';

await loadMarkdown();

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
  'mailto:10',
  '#top',
  'a?b',
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

test('tasks show their box instead of the mark of a list, nested ones too', () => {
  expect(render('- [x] done\n  - [ ] open\n- plain')).toBe(
    '<ul dir="auto"><li class="task">☑ done<ul><li class="task">☐ open</li></ul></li><li>plain</li></ul>',
  );
});

test.each([
  ['# One', '<h1 dir="auto">One</h1>'],
  ['###### Six', '<h6 dir="auto">Six</h6>'],
  ['Title\n===', '<h1 dir="auto">Title</h1>'],
  ['**bold with *both* in it**', '<p dir="auto"><strong>bold with <em>both</em> in it</strong></p>'],
  ['***both***', '<p dir="auto"><em><strong>both</strong></em></p>'],
  ['~~gone **and bold**~~', '<p dir="auto"><s>gone <strong>and bold</strong></s></p>'],
  ['snake_case_name and __init__', '<p dir="auto">snake_case_name and <strong>init</strong></p>'],
  ['`a * b` and ``a`b``', '<p dir="auto"><code>a * b</code> and <code>a`b</code></p>'],
  ['3. three\n4. four', '<ol start="3" dir="auto"><li>three</li><li>four</li></ol>'],
  ['- a\n  1. b', '<ul dir="auto"><li>a<ol><li>b</li></ol></li></ul>'],
  [
    '> quoted\n> > twice',
    '<blockquote dir="auto"><p>quoted</p><blockquote><p>twice</p></blockquote></blockquote>',
  ],
  ['one\n\n---\n\ntwo', '<p dir="auto">one</p><hr><p dir="auto">two</p>'],
  ['one  \ntwo\\\nthree', '<p dir="auto">one<br>\ntwo<br>\nthree</p>'],
])('%j', (source, html) => {
  expect(render(source)).toBe(html);
});

test.each([
  '[^1]: a footnote',
  ':::note',
  '$$e = mc^2$$',
  '==marked==',
  '<details><summary>x</summary></details>',
  '{{template}}',
  '@someone #12',
])('what it does not know is text: %s', (source) => {
  const text = render(source).replace(/<\/?p[^>]*>/g, '');
  expect(text).toBe(source.replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
});

test.each([
  ['**重要：**次に', '<strong>重要：</strong>次に'],
  ['これは**「重要」**です', 'これは<strong>「重要」</strong>です'],
  ['这是**“重点”**内容', '这是<strong>“重点”</strong>内容'],
  ['한국어**(강조)**입니다', '한국어<strong>(강조)</strong>입니다'],
  ['~~取り消し。~~次', '<s>取り消し。</s>次'],
  ['a*"b"*c', 'a*&quot;b&quot;*c'],
])('emphasis without spaces: %s', (source, html) => {
  expect(render(source)).toBe(`<p dir="auto">${html}</p>`);
});

test('characters of several code points stay whole', () => {
  expect(render('**👩‍👩‍👧‍👦** 🏳️‍🌈 é 𠮷')).toBe('<p dir="auto"><strong>👩‍👩‍👧‍👦</strong> 🏳️‍🌈 é 𠮷</p>');
});

const link = (place: string, title: string) => `<a role="link" tabindex="0" ${place} title="${title}">`;

test.each([
  ['[x](src/a.ts)', 'data-path="src/a.ts"', 'src/a.ts'],
  ['[x](src/a.ts#L10)', 'data-path="src/a.ts" data-line="10"', 'src/a.ts:10'],
  ['[x](src/a.ts#L10-L20)', 'data-path="src/a.ts" data-line="10"', 'src/a.ts:10'],
  ['[x](src/a.ts:10)', 'data-path="src/a.ts" data-line="10"', 'src/a.ts:10'],
  ['[x](a.ts:10:3)', 'data-path="a.ts" data-line="10" data-column="3"', 'a.ts:10:3'],
  ['[x](<src/my file.ts>)', 'data-path="src/my file.ts"', 'src/my file.ts'],
  ['[x](./Makefile)', 'data-path="./Makefile"', './Makefile'],
  ['[x](/repo/a.ts)', 'data-path="/repo/a.ts"', '/repo/a.ts'],
  ['[x](C:/repo/a.ts:3)', 'data-path="C:/repo/a.ts" data-line="3"', 'C:/repo/a.ts:3'],
])('a path is a link to a file: %s', (source, place, title) => {
  expect(render(source)).toBe(`<p dir="auto">${link(place, title)}x</a></p>`);
});

test.each([
  ['src/a.ts', 'data-path="src/a.ts"'],
  ['../lib/b.test.tsx', 'data-path="../lib/b.test.tsx"'],
  ['main.py:12', 'data-path="main.py" data-line="12"'],
  ['main.py:12:3', 'data-path="main.py" data-line="12" data-column="3"'],
  ['src/größe.ts', 'data-path="src/größe.ts"'],
  ['.github/workflows/ci.yml', 'data-path=".github/workflows/ci.yml"'],
])('inline code that is a path is a link to the file: %s', (code, place) => {
  expect(render(`\`${code}\``)).toBe(`<p dir="auto">${link(place, code)}<code>${code}</code></a></p>`);
});

test.each(['main.py', 'and/or', 'a / b.c', 'Array.from', 'npm run x.y', 'https://a.b/c.d', '1.5/2.5', 'a:1'])(
  'other inline code is no link: %s',
  (code) => {
    expect(render(`\`${code}\``)).not.toContain('<a');
  },
);

test('there is no link in a link', () => {
  expect(render('[see `src/a.ts`](https://example.com)').match(/<a /g)).toHaveLength(1);
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
  /^<\/?(?:p|h[1-6]|ul|ol|li|blockquote|hr|br|em|strong|s|code|pre|a|span|div|table|thead|tbody|tr|th|td|figure|figcaption|button)(?: (?:dir|role|tabindex|data-href|title|class|align|start|type|data-copy|aria-label|data-path|data-line|data-column|data-language)(?:="[^"<>]*")?)*>$/;

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

test('an item that is there only for what lies within it has no mark', () => {
  expect(
    renderMarkdown('-\n  - b\n- c\n', {}, { frame: { ...NO_FRAME, carried: 1 }, table: undefined }),
  ).toMatch(/^<ul[^>]*><li class="carried"><ul><li>b<\/li><\/ul><\/li><li>c<\/li><\/ul>$/);
});
