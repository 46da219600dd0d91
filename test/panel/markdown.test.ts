import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { text } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import type { ThemeName } from '../support/themes.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const show = (content: string, theme: ThemeName = 'dark') =>
  open({ theme, events: [{ type: 'user', content: 'Hi' }, text(content)] });
const style = (panel: PanelPage, selector: string, name: string) =>
  panel.page
    .locator(`.blocks ${selector}`)
    .first()
    .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

test('headings are at most 1.15 times as large as the text', async () => {
  const panel = await show(
    `${[1, 2, 3, 4, 5, 6].map((level) => `${'#'.repeat(level)} Heading`).join('\n\n')}\n\nText`,
  );
  const size = Number.parseFloat(await style(panel, 'p', 'font-size'));
  for (const level of [1, 2, 3, 4, 5, 6]) {
    const heading = Number.parseFloat(await style(panel, `h${level}`, 'font-size'));
    expect(heading).toBeGreaterThanOrEqual(size);
    expect(heading).toBeLessThanOrEqual(size * 1.1501);
  }
});

test('right-to-left text stands on the right, also in lists, quotes and cells', async () => {
  const panel = await show(
    'שלום עולם\n\n- פריט\n  - פריט פנימי\n\n> ציטוט\n\n| שם | b |\n|---|---|\n| ערך | 2 |\n\nLeft to right',
  );
  for (const selector of ['p', 'ul', 'li', 'blockquote', 'table']) {
    expect(await style(panel, selector, 'direction'), selector).toBe('rtl');
  }
  expect(await style(panel, '> .markdown > p:last-of-type', 'direction')).toBe('ltr');
  const [mark, box] = await Promise.all(
    ['li', 'ul'].map((name) => panel.page.locator(`.blocks ${name}`).first().boundingBox()),
  );
  expect((mark?.x ?? 0) + (mark?.width ?? 0)).toBeLessThan((box?.x ?? 0) + (box?.width ?? 0));
});

test('a table is aligned as it says, and scrolls by itself when it is too wide', async () => {
  const wide = Array.from({ length: 12 }, (_, index) => `column${index}`).join(' | ');
  const panel = await show(
    `| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |\n\n| ${wide} |\n|${'---|'.repeat(12)}\n`,
  );
  expect(await style(panel, 'td:nth-child(2)', 'text-align')).toBe('center');
  expect(await style(panel, 'td:nth-child(3)', 'text-align')).toBe('right');
  const width = await panel.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(width).toBe(0);
});

test('a path opens its file, by mouse and by keyboard', async () => {
  const panel = await show('See [the code](src/a.ts#L10), `src/b.ts:3:7` and `plain`.');
  await panel.page.getByRole('link', { name: 'the code' }).click();
  await panel.page.getByRole('link', { name: 'src/b.ts:3:7' }).focus();
  await panel.page.keyboard.press('Enter');
  await expect
    .poll(async () => await panel.messages('file/open'))
    .toEqual([
      { type: 'file/open', session: 'session-1', path: 'src/a.ts', line: 10 },
      { type: 'file/open', session: 'session-1', path: 'src/b.ts', line: 3, column: 7 },
    ]);
  expect(await panel.messages('link/open')).toEqual([]);
});

test('a link by reference leads to what is said later', async () => {
  const panel = await show('See [docs][1].\n\nMore.\n\n[1]: https://example.com/late');
  expect(await panel.page.getByRole('link', { name: 'docs' }).getAttribute('title')).toBe(
    'https://example.com/late',
  );
});

test('an address shows where it leads', async () => {
  const panel = await show('[docs](https://example.com/a) and https://example.com/b');
  const titles = await panel.page
    .getByRole('link')
    .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
  expect(titles).toEqual(['https://example.com/a', 'https://example.com/b']);
});

const code = [
  '```ts\n// why\nimport { a } from "b";\nclass C<T> { m(x: number): string { return "s" + 1 ?? null; } }\n@d\n```',
  '```diff\n-old\n+new\n@@ -1 +1 @@\n```',
  '```json\n{ "a": [1, true, null, "s"] }\n```',
  '```bash\nfor f in *.ts; do echo "$f" | grep -v x; done # all\n```',
  '```py\n@d\ndef f(x: int = 1) -> str:\n    """doc"""\n    return f"{x}"\n```',
  '```html\n<!-- c --><a href="x">y</a>\n```',
  '```yaml\na: &x 1\nb: [*x, "s"]\n```',
  '```md\n# Title\n*em* **strong** [l](u)\n```',
].join('\n\n');

test.each(['dark', 'light', 'high-contrast'] as const)('code is readable in the theme %s', async (theme) => {
  const panel = await show(code, theme);
  await expect.poll(() => panel.page.locator('pre [class^="hljs-"]').count()).toBeGreaterThan(40);
  expect(await panel.page.evaluate(tooFaint)).toEqual([]);
});

/** Runs in the page: texts of code with a contrast below 4.5, with their class. */
function tooFaint(): string[] {
  const channels = (color: string) => {
    const context = document.createElement('canvas').getContext('2d');
    if (!context) return [0, 0, 0];
    context.fillStyle = color;
    context.fillRect(0, 0, 1, 1);
    return [...context.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (color: string) => {
    const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const contrast = (one: number, other: number) =>
    (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  return [...document.querySelectorAll('pre [class^="hljs-"]')].flatMap((element) => {
    const figure = element.closest('figure');
    const background = luminance(getComputedStyle(figure ?? element).backgroundColor);
    const ratio = contrast(luminance(getComputedStyle(element).color), background);
    return ratio < 4.5 ? [`${element.className} ${ratio.toFixed(2)} ${element.textContent}`] : [];
  });
}

test('what stands at a place of the text can be drawn, wherever the reader is', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export * from './markdown/block-view.ts'; export * from './markdown/split-text.ts'; export { loadMarkdown } from './markdown/render.ts';`,
      resolveDir: fileURLToPath(new URL('../../webview', import.meta.url)),
    },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'markdown',
  });
  const panel = await open();
  await panel.page.evaluate(
    `${outputFiles[0]?.text}; globalThis.markdown = markdown; markdown.loadMarkdown()`,
  );
  expect(await panel.page.evaluate(revealInLongText)).toEqual([true, true, true, true, true]);
});

test('a long fence in an item is copied as a whole, and the items after it are items', async () => {
  const lines = Array.from({ length: 160 }, (_, index) => `const value${index} = compute(${index});`);
  const inItem = ['```ts', ...lines, '```', '', 'Then *run* it.'].map((line) => `   ${line}`).join('\n');
  const panel = await show(`1. Write the file:\n\n${inItem}\n2. Test it\n3. Commit it\n`);
  await panel.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const copies = panel.page.getByRole('button', { name: 'Copy Code' });
  expect(await copies.count()).toBe(1);
  await copies.click();
  const copied = () => panel.page.evaluate(() => navigator.clipboard.readText());
  await expect.poll(copied).toBe(`${lines.join('\n')}\n`);
  const items = await panel.page.locator('.blocks li:not(.carried)').allInnerTexts();
  expect(items).toEqual(['Write the file:', 'Test it', 'Commit it']);
  expect(await panel.page.locator('.blocks li.carried em').textContent()).toBe('run');
});

test('a number of four digits is not clipped', async () => {
  const panel = await show('1000. an item\n');
  const font = Number.parseFloat(await style(panel, 'ol', 'font-size'));
  expect(Number.parseFloat(await style(panel, 'ol', 'padding-inline-start'))).toBeGreaterThan(2.4 * font);
});

test('a long table reads as one: its head is seen once, its columns are as wide, nothing is between', async () => {
  const panel = await show(`| name | what |\n|---|---|\n${'| some words | and more |\n'.repeat(120)}`);
  const tables = await panel.page.locator('.blocks table').evaluateAll((all) =>
    all.map((table) => {
      const { top, bottom } = table.getBoundingClientRect();
      const head = table.querySelector('thead')?.getBoundingClientRect().height ?? 0;
      return { top, bottom, head, column: table.querySelector('td')?.getBoundingClientRect().width };
    }),
  );
  expect(tables.length).toBeGreaterThan(1);
  tables.slice(1).forEach(({ top, head, column }, index) => {
    expect(head).toBeLessThan(3);
    expect(Math.abs(top - (tables[index]?.bottom ?? 0))).toBeLessThan(4);
    expect(Math.abs((column ?? 0) - (tables[0]?.column ?? 0))).toBeLessThan(2);
  });
});

/** Runs in the page: whether each of some places was drawn. */
async function revealInLongText(): Promise<boolean[]> {
  const { createBlockView, revealOffset, splitWhole } = Reflect.get(globalThis, 'markdown');
  const scroller = document.body.appendChild(document.createElement('div'));
  scroller.style.height = '300px';
  scroller.style.overflow = 'auto';
  const container = scroller.appendChild(document.createElement('div'));
  const paragraphs = Array.from({ length: 400 }, (_, index) => `Paragraph ${index}.\n\n`).join('');
  const lines = Array.from({ length: 5_000 }, (_, index) => `line ${index}.\n`).join('');
  const content = `${paragraphs}\`\`\`\n${lines}\`\`\`\n${paragraphs}`;
  createBlockView(container, scroller)(splitWhole(content));
  for (let still = 0, length = 0; still < 10; still += 1) {
    await new Promise(requestAnimationFrame);
    if (container.textContent.length !== length) still = 0;
    length = container.textContent.length;
  }
  return ['Paragraph 7.', 'Paragraph 399.', 'line 0.', 'line 2555.', 'line 4999.'].map((words) => {
    const wasDrawn = container.textContent.includes(words);
    const element = revealOffset(container, content.indexOf(words));
    return !(wasDrawn && words.startsWith('line 2')) && element.textContent.includes(words);
  });
}

test('character references are what HTML says; what it does not know stays as it is written', async () => {
  const panel = await show('&copy; &hellip; &amp;lt; &#65; &#x1F600; &nosuch; `&copy;`');
  expect(await panel.texts()).toEqual(['© … &lt; A 😀 &nosuch; &copy;']);
});

test('code whose colours cannot be loaded can be read', async () => {
  const panel = await open();
  let asked = 0;
  await panel.page.route('**/languages-*.js', async (route) => {
    asked += 1;
    await route.abort();
  });
  await panel.emit(text('```js\nlet first;\n```'));
  await expect.poll(() => asked).toBe(1);
  await panel.emit(text('```js\nlet second;\n```'));
  expect(await panel.page.locator('pre code').allTextContents()).toEqual(['let first;\n', 'let second;\n']);
  expect(await panel.page.locator('[class^="hljs-"]').count()).toBe(0);
  expect(await panel.messages('log')).toEqual([]);
});
