import { beforeAll, expect, test } from 'vitest';
import { chooseTheme, openFile, setTheme, type Theme } from '../../scripts/lib/vscode/browser.mjs';
import { seriousObstacles } from '../support/axe.ts';
import { hardToRead } from '../support/contrast.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const outside = 'https://attacker.example/seen';
const hostile = `# A picture

![a picture](${outside}.png) [a link](${outside}.html) ${outside}

<img src="${outside}.gif" onerror="window.pwned = true"><script>window.pwned = true</script>
<iframe src="${outside}"></iframe><style>@import "${outside}.css"</style>

[run](javascript:window.pwned=true)`;

const { claude, workbench, panel, ended } = await useHarness({ files: { 'page.html': hostile } });
const themes: readonly Theme[] = ['light', 'highContrast', 'highContrastLight', 'dark'];
const requested: string[] = [];

beforeAll(() => {
  workbench.page.context().on('request', (request) => requested.push(request.url()));
});

async function frame() {
  const input = await panel.input.elementHandle();
  const found = await input?.ownerFrame();
  if (!found) throw new Error('The panel has no page.');
  return found;
}

async function expectNoObstacle(): Promise<void> {
  expect(await seriousObstacles(await frame())).toEqual([]);
}

test('opening the panel reports no errors', async () => {
  await panel.input.waitFor();
  expect(workbench.consoleErrors).toEqual([]);
  await expectNoObstacle();
});

test('a conversation that asks is accessible in every theme, and so is one that has failed', async () => {
  const prompt = 'Show me all that you have';
  claude.says(
    {
      blocks: [
        { type: 'thinking', thinking: 'What could that be?' },
        {
          type: 'text',
          text: 'A list:\n\n- `code`\n- [link](https://example.com)\n\n```js\nlet a = 1;\n```',
        },
        { type: 'tool_use', name: 'read', input: { path: 'src/util.js' } },
        { type: 'tool_use', name: 'read', input: { path: 'missing.js' } },
      ],
    },
    call('write', { path: 'new.txt', content: 'new' }),
    { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: 'no' } } },
  );
  await panel.ask(prompt);
  await panel.card.locator('[aria-disabled="false"]').first().waitFor();
  for (const theme of themes) {
    await setTheme(workbench.page, theme);
    await expectNoObstacle();
  }
  await panel.answer('deny');
  await ended(prompt);
  await panel.part('error').waitFor();
  await expectNoObstacle();
});

/** Every theme that comes with VS Code, by its name in the list, and the id that a page is told. */
const everyTheme = {
  'Light 2026': 'Light 2026',
  'Light Modern': 'Light Modern',
  'Light+': 'Light+',
  'Light (Visual Studio)': 'Visual Studio Light',
  'Quiet Light': 'Quiet Light',
  'Solarized Light': 'Solarized Light',
  'Light High Contrast': 'Default High Contrast Light',
  'Dark High Contrast': 'Default High Contrast',
  Abyss: 'Abyss',
  'Kimbie Dark': 'Kimbie Dark',
  Monokai: 'Monokai',
  'Monokai Dimmed': 'Monokai Dimmed',
  Red: 'Red',
  'Solarized Dark': 'Solarized Dark',
  'Tomorrow Night Blue': 'Tomorrow Night Blue',
  'Dark (Visual Studio)': 'Visual Studio Dark',
  'Dark+': 'Dark+',
  'Dark Modern': 'Dark Modern',
  'Dark 2026': 'Dark 2026',
};

const samples = `
\`\`\`ts
// A comment
import { one } from './a.ts';
const n = 12, yes = /x/.test('a');
class Foo extends Bar { @dec name: string; method(first: number) { return console.log(null); } }
\`\`\`

\`\`\`diff
-old
+new
\`\`\`

\`\`\`html
<a href="x">link</a>
\`\`\`

\`\`\`md
# A title with **bold** *words*
\`\`\`

Inline \`code\`, [a link](https://example.com), \`src/util.js:3\`

> A quote`;

test('every word can be read in every theme that comes with VS Code', async () => {
  const prompt = 'Show me your colours';
  const command = `printf '\\033[31mred \\033[32mgreen \\033[33myellow \\033[34mblue'; exit 1`;
  claude.says(
    call('read', { path: 'missing.js' }, samples),
    call('bash', { command: 'true' }),
    call('bash', { command }),
    words('Done'),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await panel.answer('allow_once');
  await ended(prompt);
  await panel.part('text').first().scrollIntoViewIfNeeded();
  await panel.find('.hljs-keyword').first().waitFor();
  const hard: string[] = [];
  for (const [label, id] of Object.entries(everyTheme)) {
    await chooseTheme(workbench.page, label);
    await panel.find(`body[data-vscode-theme-id="${id}"]`).waitFor();
    await workbench.page.mouse.move(0, 0);
    hard.push(...(await hardToRead(await frame())).map((word) => `${label}: ${word}`));
  }
  expect(hard).toEqual([]);
});

test('hostile text is text: nothing runs, nothing outside is asked for, no rule of the page is broken', async () => {
  const prompt = `Look at ${hostile}`;
  requested.length = 0;
  claude.says(
    call('read', { path: 'page.html' }, hostile),
    call('bash', { command: 'cat page.html' }),
    words(hostile),
  );
  await panel.ask(prompt);
  await panel.answer('allow_once');
  await ended(prompt);
  await panel.part('text').last().locator('h1').waitFor();
  for (const line of await panel.find('[data-part="tool"] .disclosure').all()) await line.click();
  await openFile(workbench.page, 'page.html');
  expect(await (await frame()).evaluate(() => Reflect.get(window, 'pwned'))).toBeUndefined();
  expect(requested.filter((url) => url.includes('attacker.example'))).toEqual([]);
  expect(workbench.consoleErrors.filter((error) => error.includes('Content Security Policy'))).toEqual([]);
});
