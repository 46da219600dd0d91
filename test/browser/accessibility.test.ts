// What is asked of the panel for people who see, hear, move or have less room than others.
import { afterEach, expect, test } from 'vitest';
import { resizeSideBar } from '../../scripts/lib/vscode/browser.mjs';
import { seriousObstacles } from '../support/axe.ts';
import { cutOff } from '../support/cut-off.ts';
import { makeGate } from '../support/gate.ts';
import { call, words } from '../support/vscode/use-claude.ts';
import { useHarness } from '../support/vscode/use-harness.ts';

const { claude, workbench, panel, ended } = await useHarness({
  files: { 'folder/of/some/depth/notes.txt': 'one\ntwo\n' },
});
const path = 'folder/of/some/depth/notes.txt';

/** A reply with a bit of everything, then a question. */
function saysMuchAndAsks(): void {
  const text = `A list:

- an item with a word that is_longer_than_a_narrow_panel_is_wide_and_has_no_place_to_break

| file | what it is about |
| --- | --- |
| \`notes.txt\` | some words |

\`\`\`js
const line = 'that is as long as lines of code are now and then';
\`\`\``;
  const operations = [{ op: 'replace', startLine: 2, endLine: 2, content: ['ZWEI'] }];
  claude.says(call('read', { path }, text), call('edit', { path, operations }), words('As you like.'));
}

async function frame() {
  const found = await (await panel.input.elementHandle())?.ownerFrame();
  if (!found) throw new Error('The panel has no page.');
  return found;
}

/** The panel can be read and used as it is now. */
async function expectUsable(): Promise<void> {
  const allowOnce = panel.card.getByRole('button', { name: 'Allow once' });
  await expect.poll(() => allowOnce.getAttribute('aria-disabled')).toBe('false');
  expect(await cutOff(await frame())).toEqual([]);
  expect(await seriousObstacles(await frame())).toEqual([]);
  for (const element of [allowOnce, panel.input, panel.stop]) {
    const isInSight = () =>
      element.evaluate((node) => {
        const { left, right, top, bottom } = node.getBoundingClientRect();
        return [left >= 0, right <= innerWidth, top >= 0, bottom <= innerHeight];
      });
    await expect.poll(isInSight).toEqual([true, true, true, true]);
  }
  await panel.answer('deny');
}

afterEach(async () => {
  await workbench.page.setViewportSize({ width: 1280, height: 800 });
  await workbench.page.emulateMedia({ reducedMotion: null });
});

test('a panel that is 200 px wide shows all, and can be used', async () => {
  await resizeSideBar(workbench.page, 200);
  saysMuchAndAsks();
  await panel.ask('Narrow, please');
  await expectUsable();
  await ended('Narrow, please');
  await resizeSideBar(workbench.page, 300);
});

test('at a zoom of 200 % the panel shows all, and can be used', async () => {
  // A window of so many pixels of the screen has half as many of a page that is shown at twice its size.
  await workbench.page.setViewportSize({ width: 640, height: 400 });
  saysMuchAndAsks();
  await panel.ask('Large, please');
  await expectUsable();
  await ended('Large, please');
});

test('who has asked for less motion sees none, at once', async () => {
  const { page } = workbench;
  const rest = makeGate();
  claude.says({ ...words('Slowly'), hold: { after: 0, until: rest.opened } });
  await panel.ask('Take your time');
  const moving = () =>
    panel
      .find('body')
      .evaluate(
        ({ ownerDocument }) =>
          ownerDocument.getAnimations().filter(({ playState }) => playState === 'running').length,
      );
  await expect.poll(moving).toBeGreaterThan(0);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await expect.poll(moving).toBe(0);
  await panel.find('body.vscode-reduce-motion').waitFor();
  rest.open();
  await ended('Take your time');
});

test('a screen reader hears whole blocks as they are closed, and what is asked', async () => {
  const rest = makeGate();
  const said = (urgency: string) => panel.find(`[aria-live="${urgency}"]`).textContent();
  const beginning = 'The first block.\n\nThe second ';
  claude.says(
    {
      blocks: [
        { type: 'text', text: `${beginning}block.` },
        { type: 'tool_use', name: 'bash', input: { command: 'true' } },
      ],
      chunkSize: beginning.length,
      hold: { after: 1, until: rest.opened },
    },
    words('So not.'),
  );
  await panel.ask('Speak');
  await panel.saying('text', 'The second').waitFor();
  await expect.poll(() => said('polite')).toBe('The first block.');
  expect(await panel.conversation.getAttribute('aria-live')).toBe('off');
  rest.open();
  await panel.card.waitFor();
  // What has come in the same moment as the question is said with it.
  await expect
    .poll(() => said('assertive'))
    .toMatch(/^(The second block\.\n)?Approval needed, \w+( risk)?: /);
  await panel.answer('deny');
  await ended('Speak');
});

test('Tab goes through all of the panel, and what has the focus can be seen', async () => {
  const { page } = workbench;
  claude.says(
    call('read', { path }, 'See [the docs](https://example.com).\n\n```js\nlet a;\n```'),
    words('Done.'),
  );
  await panel.ask('Give me something to go through');
  await ended('Give me something to go through');
  await panel.conversation.focus();
  const met: string[] = [];
  const unseen: string[] = [];
  for (let step = 0; step < 20 && met.at(-1) !== 'Ask Harness'; step += 1) {
    await page.keyboard.press('Tab');
    const { name, isSeen } = await panel.find(':focus').evaluate((element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      const label = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return { name: label.trim(), isSeen: outlineStyle !== 'none' && outlineWidth !== '0px' };
    });
    met.push(name);
    // The input has its border.
    if (!isSeen && name !== 'Ask Harness') unseen.push(name);
  }
  expect(unseen).toEqual([]);
  for (const name of [
    /^Edit this prompt/,
    /^the docs$/,
    /^Copy Code$/,
    /^read .*notes\.txt/,
    /^Ask Harness$/,
  ])
    expect(
      met.some((each) => name.test(each)),
      `${name} of ${met.join(' | ')}`,
    ).toBe(true);
});
