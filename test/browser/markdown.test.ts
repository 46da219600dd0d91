import { expect, test } from 'vitest';
import { makeGate } from '../support/gate.ts';
import { words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const source = Array.from({ length: 40 }, (_, index) => `export const n${index + 1} = ${index + 1};\n`).join(
  '',
);
const { claude, workbench, panel, ended } = await useHarness({ files: { 'src/one.ts': source } });

const everything = `# One
## Two
###### Six

A **bold *and slanted* word**, ~~gone~~, \`code\`, a family 👩‍👩‍👧 and 日本語です。

1. first
   - inner
     - innermost
2. second

- [x] done
- [ ] to do

| left | middle | right |
| :--- | :----: | ----: |
| a | b | c |

> Quoted
> > twice

---

שלום עולם, and some words

::: warning
<b>not bold</b> [^1] {{ left }}
:::`;

const answer = () => panel.part('text').last();
const cursor = (place: string) => workbench.page.locator('.statusbar-item', { hasText: place });
const clipboard = () => workbench.page.evaluate(() => navigator.clipboard.readText());

async function show(prompt: string, content: string): Promise<void> {
  claude.says(words(content));
  await panel.ask(prompt);
  await ended(prompt);
}

test('an answer has all of Markdown, and what is none of it is shown as it is written', async () => {
  await show('Show me all marks', everything);
  await answer().locator('p', { hasText: 'not bold' }).waitFor();
  const texts = (selector: string) => answer().locator(selector).allTextContents();
  expect(await texts('h1, h2, h6')).toEqual(['One', 'Two', 'Six']);
  expect(await texts('strong em')).toEqual(['and slanted']);
  expect(await texts('s')).toEqual(['gone']);
  expect(await texts('p > code')).toEqual(['code']);
  expect(await texts('ol > li > ul > li > ul > li')).toEqual(['innermost']);
  expect(await texts('li.task')).toEqual(['☑ done', '☐ to do']);
  expect(await texts('blockquote > blockquote')).toEqual(['twice']);
  expect(await answer().locator('hr').count()).toBe(1);
  expect(await answer().textContent()).toContain('a family 👩‍👩‍👧 and 日本語です。');
  expect(await answer().textContent()).toMatch(/::: warning\s<b>not bold<\/b> \[\^1\] {{ left }}\s:::/);
  const styles = (selector: string, name: string) =>
    answer()
      .locator(selector)
      .evaluateAll(
        (elements, property) => elements.map((each) => getComputedStyle(each).getPropertyValue(property)),
        name,
      );
  expect(await styles('td', 'text-align')).toEqual(['start', 'center', 'right']);
  expect(await styles('p:has-text("שלום")', 'direction')).toEqual(['rtl']);
  expect(await styles('p:has-text("not bold")', 'direction')).toEqual(['ltr']);
});

test('a path in an answer opens its file at the line, by mouse and by keyboard; an address says where it leads', async () => {
  const { page } = workbench;
  await show(
    'Where is it?',
    'In `src/one.ts:3:8` or [further down](src/one.ts#L30), see [the docs](https://example.com/docs).',
  );
  await answer().getByRole('link', { name: 'src/one.ts:3:8' }).click();
  await page.locator('.tab.active[data-resource-name="one.ts"]').waitFor();
  await cursor('Ln 3, Col 8').waitFor();
  await answer().getByRole('link', { name: 'further down' }).focus();
  await page.keyboard.press('Enter');
  await cursor('Ln 30, Col 1').waitFor();
  const docs = answer().getByRole('link', { name: 'the docs' });
  expect(await docs.getAttribute('title')).toBe('https://example.com/docs');
  await docs.click();
  const dialog = page.locator('.monaco-dialog-box', { hasText: 'https://example.com/docs' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('a block that is closed is never drawn again; code has its colours once it is closed, and is copied whole', async () => {
  const { page } = workbench;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const rest = makeGate();
  const code = '// why\nconst n = 1;\n';
  const beginning = `The first block.\n\n\`\`\`ts\n${code}`;
  claude.says({
    ...words(`${beginning}\`\`\`\n\nThe end.`),
    chunkSize: beginning.length,
    hold: { after: 1, until: rest.opened },
  });
  await panel.ask('Give me code');
  const block = answer().locator('p', { hasText: 'The first block.' });
  await answer().getByText('const n').waitFor();
  await block.evaluate((element) => element.setAttribute('data-mark', ''));
  expect(await answer().locator('[class^="hljs-"]').count()).toBe(0);
  rest.open();
  await ended('Give me code');
  await answer().locator('.hljs-comment').waitFor();
  expect(await block.getAttribute('data-mark')).toBe('');
  expect(await answer().locator('figcaption').textContent()).toMatch(/^ts/);
  await answer().getByRole('button', { name: 'Copy Code' }).click();
  await expect.poll(clipboard).toBe(code);
});

test('of a fence of 5,000 lines only what is near is in the page, and all of it is copied', async () => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `const line${index + 1} = ${index + 1};`);
  await show('A long one, please', `\`\`\`js\n${lines.join('\n')}\n\`\`\`\n\nThat was it.`);
  await answer().getByText('line5000').waitFor();
  await answer().getByText('That was it.').waitFor();
  expect(await panel.find('*').count()).toBeLessThan(3_000);
  await answer().getByRole('button', { name: 'Copy Code' }).press('Enter');
  await expect.poll(clipboard).toBe(`${lines.join('\n')}\n`);
});
