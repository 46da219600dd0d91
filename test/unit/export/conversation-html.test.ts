import { expect, test } from 'vitest';
import { HtmlDocument } from '../../../extension/core/export/conversation-html.ts';
import { wordsHtml } from '../../../extension/core/export/html/markdown-to-html.ts';
import { CHAIN_START, link } from '../../../extension/core/log/hash-chain.ts';
import type { EventDraft, SessionEvent } from '../../../extension/protocol/events.ts';

function events(...drafts: readonly EventDraft[]): SessionEvent[] {
  let head = CHAIN_START;
  return [{ type: 'session_started', version: 1, cwd: '/repo', product: 't' } as const, ...drafts].map(
    (draft) => {
      const next = link(head, draft, 's', 1_700_000_000_000);
      head = next.head;
      return next.event;
    },
  );
}

function conversationHtml(events: readonly SessionEvent[]): string {
  const page = new HtmlDocument();
  return page.begin(events) + page.section(events) + page.end();
}

const EVIL = `</script><img src=x onerror="alert(1)"> & 'quoted' \u202Eabc\u0000`;
const state = { kind: 'absent' } as const;

const every: readonly EventDraft[] = [
  { type: 'user', content: `First ${EVIL}`, attachments: ['attachments/a.png'] },
  { type: 'turn_started', turn: 1 },
  { type: 'request_started', request: 1, provider: 'p', model: `m${EVIL}` },
  { type: 'reasoning', content: `thought ${EVIL}` },
  { type: 'text', content: `# Title ${EVIL}\n\n- a **b** \`c<d\`\n\n\`\`\`ts\nx < y${EVIL}\n\`\`\`` },
  { type: 'tool_call', id: 'c1', name: 'edit', input: { path: `a${EVIL}` } },
  { type: 'tool_call', id: 'c2', name: 'bash', input: { command: `rm ${EVIL}` } },
  { type: 'usage', inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.25 },
  { type: 'request_ended', request: 1, outcome: 'completed', stop: 'tool_calls' },
  {
    type: 'files_changed',
    id: 'c1',
    by: 'tool',
    changes: [{ path: `/repo/a${EVIL}`, before: state, after: state }],
  },
  {
    type: 'tool_result',
    id: 'c1',
    result: '{"path":"a"}',
    isError: false,
    added: 1,
    removed: 1,
    diff: { text: `@@ -1 +1 @@\n-old${EVIL}\n+new`, moreLines: 4 },
  },
  {
    type: 'tool_result',
    id: 'c2',
    result: JSON.stringify({ error: EVIL }),
    isError: true,
    milliseconds: 2500,
  },
  { type: 'plan', steps: [{ title: EVIL, status: 'completed' }] },
  { type: 'error', message: EVIL, code: 'x', retryable: false },
  { type: 'notice', message: EVIL },
  { type: 'compaction', summary: EVIL, through: 3 },
  { type: 'turn_ended', turn: 1, reason: 'done' },
  { type: 'user', content: 'Second' },
];

test('a page says all of a conversation, and runs and loads nothing', () => {
  const html = conversationHtml(events(...every));
  const tags = new Set(Array.from(html.matchAll(/<([a-z][a-z0-9]*)/g), ([, tag]) => tag));
  for (const tag of ['script', 'img', 'link', 'iframe', 'a', 'object', 'form', 'base'])
    expect(tags).not.toContain(tag);
  expect(html).not.toMatch(/<[^>]*\son\w+=|url\(|@import|https?:|[\u202E\0]/);
  expect(html).toContain("default-src 'none'");
  expect(html).toContain(
    '&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; &#39;quoted&#39; <span class="odd">U+202E</span>abc',
  );
});

test('calls are folded, a failed one is open; changes, costs, times and files are told', () => {
  const html = conversationHtml(events(...every));
  expect(html).toMatch(/<details class="call">\n<summary><b>edit<\/b>.*\+1 −1/);
  expect(html).toMatch(/<details class="call failed" open>\n<summary><b>bash<\/b>.*failed.*2\.5 s/);
  expect(html).toMatch(/<del>-old.*<\/del>\n<ins>\+new<\/ins>/);
  expect(html).toContain('4 more lines');
  expect(html).toContain('<dt>Cost</dt><dd>$0.2500</dd>');
  expect(html).toContain('1,200 in, 34 out');
  expect(html).toContain('<time datetime="2023-11-14T22:13:20.000Z">2023-11-14 22:13 UTC</time>');
  expect(html).toMatch(/<h2 id="files">Files changed<\/h2>\n<ul class="files">\n<li><code>\/repo\/a/);
});

test('it has landmarks, headings in order, and a name for each place that scrolls', () => {
  const html = conversationHtml(events(...every));
  for (const tag of ['<header>', '<main>', '<footer>', '<h1>', 'lang="en"']) expect(html).toContain(tag);
  expect(html.match(/<h1>/g)).toHaveLength(1);
  const levels = Array.from(html.matchAll(/<h([1-6])/g), ([, level]) => Number(level));
  for (const [index, level] of levels.entries())
    expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  for (const [tag] of html.matchAll(/<pre[^>]*>/g))
    expect(tag).toMatch(/tabindex="0" role="region" aria-label="[^"]+"/);
  expect(html.match(/<section aria-label="Prompt/g)).toHaveLength(2);
});

test('an empty log makes a page too', () => {
  expect(conversationHtml([])).toContain('<h1>Conversation</h1>');
});

test.each([
  ['a\nb\n\nc', '<p>a<br>b</p>\n<p>c</p>'],
  ['## T #', '<h4>T</h4>'],
  ['# a # b ##', '<h4>a # b</h4>'],
  ['## a\n#### b\n### c\n# d', '<h4>a</h4>\n<h5>b</h5>\n<h5>c</h5>\n<h4>d</h4>'],
  [
    '- a\n  - b\n    1. c\n- d',
    '<ul>\n<li>a\n<ul>\n<li>b\n<ol>\n<li>c</li>\n</ol>\n</li>\n</ul>\n</li>\n<li>d</li>\n</ul>',
  ],
  ['3. a\n4. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
  [
    '| a | b |\n|---|--:|\n| `x` | **1** |',
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align:right">b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td><code>x</code></td>\n<td style="text-align:right"><strong>1</strong></td>\n</tr>\n</tbody>\n</table>',
  ],
  ['> a\n\n---', '<blockquote>\n<p>a</p>\n</blockquote>\n<hr>'],
  ['a `**b**` **`c`** *d*', '<p>a <code>**b**</code> <strong><code>c</code></strong> <em>d</em></p>'],
  ['````\n```\nx\n````', '<pre tabindex="0" role="region" aria-label="Code"><code>```\nx</code></pre>'],
  ['```js\nopen', '<pre tabindex="0" role="region" aria-label="js"><code>open</code></pre>'],
  [
    '- a\n\n  ```"><b>\n  x < y\n  ```',
    '<ul>\n<li>\n<p>a</p>\n<pre tabindex="0" role="region" aria-label="Code"><code>x &lt; y</code></pre>\n</li>\n</ul>',
  ],
  ['    <b>', '<pre tabindex="0" role="region" aria-label="Code"><code>&lt;b&gt;</code></pre>'],
  ['2 ** 3 ** 4', '<p>2 ** 3 ** 4</p>'],
  ['**a** b **c d** **e', '<p><strong>a</strong> b <strong>c d</strong> **e</p>'],
  ['`` a`b `` and ``` alone', '<p><code>a`b</code> and ``` alone</p>'],
])('%j', (markdown, html) => {
  expect(wordsHtml(markdown)).toBe(html);
});

test.each([
  ['[a](https://x.example/?b&c)', '<p><a href="https://x.example/?b&amp;c">a</a></p>'],
  ['<mailto:a@x.example>', '<p><a href="mailto:a@x.example">mailto:a@x.example</a></p>'],
  ['[a][b]\n\n[b]: http://x.example', '<p><a href="http://x.example">a</a></p>'],
  [
    '[a](http://x.example "\u202e\\"onclick=\\"b")',
    '<p><a href="http://x.example" title="&quot;onclick=&quot;b">a</a></p>',
  ],
  ['https://x.example is text', '<p>https://x.example is text</p>'],
  ['![a < b](https://x.example/y.png)', '<p>![a &lt; b](https://x.example/y.png)</p>'],
])('what a link or an image becomes: %j', (markdown, html) => {
  expect(wordsHtml(markdown)).toBe(html);
});

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java&#115;cript:alert(1)',
  '&#1;javascript:alert(1)',
  'vbscript:x',
  'data:text/html,<script>x</script>',
  'data:image/png;base64,AAAA',
  'file:///etc/passwd',
  'command:x',
  'vscode://x',
  '//x.example',
  'http:x',
  'src/a.ts',
  '#top',
])('no link leads to %s', (address) => {
  const forms = [
    `[a](${address})`,
    `[a](<${address}>)`,
    `<${address}>`,
    `![a](${address})`,
    `[a]\n\n[a]: ${address}`,
  ];
  for (const form of forms) expect(wordsHtml(form), form).not.toMatch(/<(?:a|img|script)\b/);
});

test.each([
  '<b onclick=x>',
  '<script>x</script>',
  '<!-- x -->',
  '</p></main>',
  '<style>p{}</style>',
  '<svg/onload=x>',
])('HTML of a model is shown, and is none: %s', (html) => {
  const escaped = html.replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  expect(wordsHtml(html)).toBe(`<p>${escaped}</p>`);
  expect(wordsHtml(`- a\n\n  ${html}`)).toContain(escaped);
  expect(wordsHtml(`| a |\n|---|\n| ${html} |`)).toContain(`<td>${escaped}</td>`);
});

test('what is nested deeper than the parser goes is shown as it was written', () => {
  const text = `${'> '.repeat(200)}<b>`;
  expect(wordsHtml(text)).toContain(`${'&gt; '.repeat(200)}&lt;b&gt;`);
});

const MEGABYTE = 1_000_000;

test.each([
  ['marks that nothing closes', '**a '.repeat(MEGABYTE / 4).trim(), (text: string) => `<p>${text}</p>`],
  ['brackets', '['.repeat(MEGABYTE / 4), (text: string) => `<p>${text}</p>`],
  ['backticks', '` a ``'.repeat(MEGABYTE / 6), undefined],
  ['spaces in a heading', `# a${' '.repeat(MEGABYTE)}b`, (text: string) => `<h4>${text.slice(2)}</h4>`],
  ['marks in a heading', `# ${'#'.repeat(MEGABYTE)}b`, (text: string) => `<h4>${text.slice(2)}</h4>`],
  ['words', 'word '.repeat(MEGABYTE / 5).trim(), (text: string) => `<p>${text}</p>`],
])('a very long line is shown whole: %s', (_what, text, html) => {
  const shown = wordsHtml(text);
  if (html) expect(shown === html(text)).toBe(true);
  else expect(shown.length).toBeGreaterThan(text.length / 2);
});
