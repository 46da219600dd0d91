import { expect, test } from 'vitest';
import type { Completion } from '../../extension/protocol/composer-messages.ts';
import { seriousObstacles } from '../support/axe.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const list = (panel: PanelPage) => panel.page.getByRole('listbox');
const labels = (panel: PanelPage) => panel.page.locator('.choice-label').allTextContents();
const active = (panel: PanelPage) =>
  panel.page.locator('[role="option"][aria-selected="true"] .choice-label').textContent();
const value = (panel: PanelPage) => panel.input.inputValue();
const commands = async (panel: PanelPage) => (await panel.messages('command')).map(({ command }) => command);
const submitted = async (panel: PanelPage) => (await panel.messages('prompt/submit')).map(({ text }) => text);

const file = (name: string): Completion => ({ kind: 'file', label: name, detail: '', name });

/** Answers what the page has asked for last. */
async function answer(panel: PanelPage, ...items: Completion[]): Promise<void> {
  const request = (await panel.messages('completion/get')).at(-1)?.request ?? 0;
  await panel.send({ type: 'completion/items', request, items });
}

test('a slash at the beginning lists the commands, typing filters, Enter runs', async () => {
  const panel = await open();
  await panel.page.keyboard.type('/');
  expect(await labels(panel)).toEqual([
    '/new',
    '/clear',
    '/compact',
    '/model',
    '/undo',
    '/redo',
    '/export',
    '/help',
    '/permissions',
    '/context',
    '/cost',
  ]);
  await panel.page.keyboard.type('o');
  expect(await labels(panel)).not.toContain('/clear');
  await panel.page.keyboard.press('Backspace');
  await panel.page.keyboard.type('mo');
  expect(await labels(panel)).toEqual(['/model']);
  await panel.page.keyboard.press('Enter');
  expect(await commands(panel)).toEqual(['harness.selectModel']);
  expect(await value(panel)).toBe('');
  expect(await list(panel).count()).toBe(0);
});

test('the command for the model takes a name, which goes back into the input where there is none', async () => {
  const panel = await open();
  await panel.page.keyboard.type('/model sonet');
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('command')).toEqual([
    { type: 'command', command: 'harness.selectModel', argument: 'sonet' },
  ]);
  expect(await value(panel)).toBe('');
  const reason = 'Unknown model “sonet”. Did you mean sonnet?';
  await panel.send({
    type: 'prompt/refused',
    text: '/model sonet',
    attachments: [],
    reason,
    canInsist: false,
  });
  await panel.page.getByRole('alert').getByText(reason).waitFor();
  expect(await value(panel)).toBe('/model sonet');
});

test('each command asks the host for what it says', async () => {
  const panel = await open();
  for (const name of [
    'new',
    'clear',
    'compact',
    'undo',
    'redo',
    'export',
    'permissions',
    'context',
    'cost',
  ]) {
    await panel.page.keyboard.type(`/${name}`);
    await panel.page.keyboard.press('Escape');
    await panel.page.keyboard.press('Enter');
  }
  expect(await commands(panel)).toEqual([
    'harness.newSession',
    'harness.newSession',
    'harness.compact',
    'harness.undo',
    'harness.redo',
    'harness.exportMarkdown',
    'harness.managePermissions',
    'harness.showContext',
  ]);
  expect(await panel.messages('cost/get')).toHaveLength(1);
  expect(await submitted(panel)).toEqual([]);
  await panel.page.keyboard.type('/help');
  await panel.page.keyboard.press('Enter');
  await panel.page.getByRole('dialog', { name: 'Help' }).waitFor();
});

test('what is no command is sent after a hint, a path at once', async () => {
  const panel = await open();
  for (const text of ['/nothing', '/new and more']) {
    await panel.page.keyboard.type(text);
    await panel.page.keyboard.press('Enter');
    expect(await value(panel)).toBe(text);
    await panel.page.getByRole('alert').getByText('Press Enter again').waitFor();
    await panel.page.keyboard.press('Enter');
    expect(await value(panel)).toBe('');
  }
  await panel.page.keyboard.type('/usr/lib is full');
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('/tmp is full');
  await panel.page.keyboard.press('Enter');
  expect(await submitted(panel)).toEqual(['/nothing', '/new and more', '/usr/lib is full', '/tmp is full']);
});

test('a mention is completed anywhere in the text, by arrows and Enter, and can be undone', async () => {
  const panel = await open();
  await panel.page.keyboard.type('see  now');
  for (let step = 0; step < 4; step += 1) await panel.page.keyboard.press('ArrowLeft');
  await panel.page.keyboard.type('@a');
  expect((await panel.messages('completion/get')).map(({ query }) => query)).toEqual(['', 'a']);
  await answer(panel, file('src/a.ts'), file('my b.ts'));
  expect(await active(panel)).toBe('src/a.ts');
  await panel.page.keyboard.press('ArrowUp');
  expect(await active(panel)).toBe('my b.ts');
  expect(await panel.input.getAttribute('aria-activedescendant')).toBe('completion-1');
  await panel.page.keyboard.press('Enter');
  expect(await value(panel)).toBe('see @"my b.ts" now');
  expect(await submitted(panel)).toEqual([]);
  await panel.page.keyboard.press('Control+z');
  expect(await value(panel)).toBe('see @a now');
});

test('Tab goes into a folder, the mouse takes a choice, the input keeps the focus', async () => {
  const panel = await open();
  await panel.page.keyboard.type('@s');
  await answer(panel, { kind: 'folder', label: 'src', detail: '', name: 'src/' });
  await panel.page.keyboard.press('Tab');
  expect(await value(panel)).toBe('@src/');
  expect((await panel.messages('completion/get')).at(-1)?.query).toBe('src/');
  await answer(panel, file('src/a.ts'));
  await panel.page.getByRole('option', { name: 'src/a.ts' }).click();
  expect(await value(panel)).toBe('@src/a.ts ');
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('an answer to an earlier question is dropped', async () => {
  const panel = await open();
  await panel.page.keyboard.type('@a');
  const first = (await panel.messages('completion/get')).at(-1)?.request ?? 0;
  await panel.page.keyboard.type('b');
  await panel.send({ type: 'completion/items', request: first, items: [file('old.ts')] });
  expect(await list(panel).count()).toBe(0);
  await answer(panel, file('ab.ts'));
  expect(await labels(panel)).toEqual(['ab.ts']);
  await panel.page.keyboard.type(' ');
  expect(await list(panel).count()).toBe(0);
});

test('Esc closes the list until another mention begins, and does not stop a run', async () => {
  const panel = await open({
    events: [
      { type: 'user', content: 'x' },
      { type: 'turn_started', turn: 1 },
    ],
  });
  await panel.page.keyboard.type('@a');
  await answer(panel, file('a.ts'));
  await panel.page.keyboard.press('Escape');
  expect(await list(panel).count()).toBe(0);
  expect(await panel.page.getByText('Press Esc again').count()).toBe(0);
  await panel.page.keyboard.type('b');
  await answer(panel, file('ab.ts'));
  expect(await list(panel).count()).toBe(0);
  await panel.page.keyboard.type(' @c');
  await answer(panel, file('c.ts'));
  expect(await labels(panel)).toEqual(['c.ts']);
});

test('Esc that comes before the list keeps it closed, and Enter sends', async () => {
  const panel = await open();
  await panel.page.keyboard.type('read @a');
  await panel.page.keyboard.press('Escape');
  await answer(panel, file('src/a.ts'));
  expect(await list(panel).count()).toBe(0);
  await panel.page.keyboard.press('Enter');
  expect(await submitted(panel)).toEqual(['read @a']);
});

test('the list closes when the input loses the focus or the caret leaves the mention', async () => {
  const panel = await open();
  await panel.page.keyboard.type('see @a');
  await answer(panel, file('a.ts'));
  await panel.page.keyboard.press('Home');
  await expect.poll(() => list(panel).count()).toBe(0);
  await panel.page.keyboard.press('End');
  await panel.page.keyboard.type('b');
  await answer(panel, file('ab.ts'));
  await panel.page.locator('[role="log"]').focus();
  expect(await list(panel).count()).toBe(0);
});

test('keys of an input method are not for the list', async () => {
  const panel = await open();
  await panel.page.keyboard.type('@a');
  await answer(panel, file('a.ts'), file('b.ts'));
  await panel.input.evaluate((input) => {
    for (const key of ['ArrowDown', 'Enter', 'Tab', 'Escape'])
      input.dispatchEvent(new KeyboardEvent('keydown', { key, isComposing: true, bubbles: true }));
  });
  expect(await active(panel)).toBe('a.ts');
  expect(await value(panel)).toBe('@a');
});

test.each([
  [200, 400],
  [320, 200],
])('in a panel of %i × %i the list covers neither the input nor the edge', async (width, height) => {
  const panel = await open({ width, height });
  await panel.page.keyboard.type('one\u0020two @');
  await answer(panel, ...Array.from({ length: 50 }, (_, index) => file(`src/some/long/folder/${index}.ts`)));
  const [box, input] = [await list(panel).boundingBox(), await panel.input.boundingBox()];
  expect(box?.y).toBeGreaterThanOrEqual(0);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(input?.y ?? 0);
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
  for (let step = 0; step < 30; step += 1) await panel.page.keyboard.press('ArrowDown');
  const chosen = await panel.page.locator('.choice[aria-selected="true"]').boundingBox();
  expect(chosen?.y).toBeGreaterThanOrEqual(box?.y ?? 0);
  expect((chosen?.y ?? 0) + (chosen?.height ?? 0)).toBeLessThanOrEqual(
    (box?.y ?? 0) + (box?.height ?? 0) + 1,
  );
});

test('Ctrl+R searches earlier prompts, newest first, and Esc gives the draft back', async () => {
  const panel = await open({ state: { history: ['fix alpha', 'read beta', 'fix gamma', 'fix alpha'] } });
  await panel.page.keyboard.type('my draft');
  await panel.page.keyboard.press('Control+r');
  expect(await labels(panel)).toEqual(['fix alpha', 'fix gamma', 'read beta']);
  await panel.page.keyboard.type('FIX');
  expect(await labels(panel)).toEqual(['fix alpha', 'fix gamma']);
  await panel.page.keyboard.press('Control+r');
  expect(await active(panel)).toBe('fix gamma');
  await panel.page.keyboard.press('Escape');
  expect(await value(panel)).toBe('my draft');
  await panel.page.keyboard.press('Control+r');
  await panel.page.keyboard.type('gam');
  await panel.page.keyboard.press('Enter');
  expect(await value(panel)).toBe('fix gamma');
  expect(await submitted(panel)).toEqual([]);
});

test('a search is no draft, and leaving the input ends it', async () => {
  const panel = await open({ state: { history: ['one'] } });
  await panel.page.keyboard.type('my draft');
  await panel.page.keyboard.press('Control+r');
  await panel.page.keyboard.type('nothing like it');
  await panel.page.getByText('No matching results').waitFor();
  await panel.page.keyboard.press('Enter');
  expect(await submitted(panel)).toEqual([]);
  await panel.page.locator('[role="log"]').focus();
  expect(await value(panel)).toBe('my draft');
  await panel.reload();
  expect(await value(panel)).toBe('my draft');
});

test('a prompt that the host refuses ends a search, and is the draft with what was typed before that', async () => {
  const panel = await open({ state: { history: ['one'] } });
  await panel.page.keyboard.type('see @no.ts ');
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('next');
  await panel.page.keyboard.press('Control+r');
  await panel.page.keyboard.type('on');
  const refused = { text: 'see @no.ts ', attachments: [], reason: 'No.', canInsist: true };
  await panel.send({ type: 'prompt/refused', ...refused });
  expect(await value(panel)).toBe('see @no.ts \nnext');
  expect(await list(panel).count()).toBe(0);
  await panel.page.locator('[role="log"]').focus();
  expect(await value(panel)).toBe('see @no.ts \nnext');
  await panel.reload();
  expect(await value(panel)).toBe('see @no.ts \nnext');
});

test('what comes from elsewhere ends a search, and is put into the draft', async () => {
  const panel = await open({ state: { history: ['one'] } });
  await panel.page.keyboard.type('see');
  await panel.page.keyboard.press('Control+r');
  await panel.page.keyboard.type('on');
  await panel.send({ type: 'input/insert', text: '@a.ts' });
  expect(await value(panel)).toBe('see @a.ts');
  expect(await list(panel).count()).toBe(0);
  await panel.page.keyboard.press('Control+r');
  await panel.page.keyboard.type('on');
  await panel.showSession('session-2', []);
  expect(await value(panel)).toBe('');
  await panel.page.keyboard.type('for the second');
  await panel.page.locator('[role="log"]').focus();
  expect(await value(panel)).toBe('for the second');
  await panel.showSession('session-1', []);
  expect(await value(panel)).toBe('see @a.ts');
});

test('what is looked for is not sent', async () => {
  const panel = await open({ state: { history: ['one'] } });
  await panel.page.keyboard.press('Control+r');
  await panel.page.keyboard.type('on');
  await panel.page.keyboard.press('Alt+Enter');
  expect([...(await submitted(panel)), ...(await panel.messages('prompt/steer'))]).toEqual([]);
  expect(await labels(panel)).toEqual(['one']);
});

test('a prompt that the host refuses comes before the draft that an earlier prompt hides', async () => {
  const panel = await open({ state: { history: ['one'] } });
  await panel.page.keyboard.type('see @no.ts ');
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('next');
  await panel.page.keyboard.press('ArrowUp');
  expect(await value(panel)).toBe('one');
  const refused = { text: 'see @no.ts ', attachments: [], reason: 'No.', canInsist: true };
  await panel.send({ type: 'prompt/refused', ...refused });
  expect(await value(panel)).toBe('see @no.ts \nnext');
});

test('a prompt that the host refuses comes back with the reason, and a second Enter insists', async () => {
  const panel = await open();
  await panel.page.keyboard.type('see @no.ts ');
  await panel.page.keyboard.press('Enter');
  expect(await value(panel)).toBe('');
  const reason = 'File no.ts was not found in this workspace.';
  await panel.send({ type: 'prompt/refused', text: 'see @no.ts ', attachments: [], reason, canInsist: true });
  expect(await value(panel)).toBe('see @no.ts ');
  await panel.page.getByRole('alert').getByText(reason).waitFor();
  await panel.page.keyboard.press('Enter');
  expect((await panel.messages('prompt/submit')).map(({ asIs }) => asIs)).toEqual([undefined, true]);
});

test('each session has its own draft', async () => {
  const panel = await open();
  await panel.page.keyboard.type('for the first');
  await panel.showSession('session-2', []);
  expect(await value(panel)).toBe('');
  await panel.page.keyboard.type('for the second');
  await panel.showSession('session-1', []);
  expect(await value(panel)).toBe('for the first');
  await panel.reload();
  expect(await value(panel)).toBe('for the first');
  await panel.showSession('session-2', []);
  expect(await value(panel)).toBe('for the second');
});

test('what was typed before another session is shown does not go into that', async () => {
  const panel = await open({ state: { session: '' } });
  await panel.page.keyboard.type('For a new session');
  await panel.showSession('session-1', []);
  expect(await value(panel)).toBe('');
  await panel.showSession('', []);
  expect(await value(panel)).toBe('For a new session');
});

test('what is typed while a session begins goes on in it', async () => {
  const panel = await open({ state: { session: '' } });
  await panel.page.keyboard.type('The first prompt');
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('typed while the first prompt runs');
  await panel.showSession('session-1', []);
  expect(await value(panel)).toBe('typed while the first prompt runs');
});

test.each(['dark', 'light', 'high-contrast'] as const)(
  'the list is no obstacle to anybody: %s',
  async (theme) => {
    const panel = await open({ theme });
    await panel.page.keyboard.type('@a');
    await answer(panel, file('a.ts'), { ...file('b.ts'), detail: 'src' });
    expect(await seriousObstacles(panel.page.mainFrame())).toEqual([]);
    await panel.page.keyboard.press('Escape');
    await panel.page.keyboard.press('Control+r');
    await panel.page.getByText('No matching results').waitFor();
    expect(await seriousObstacles(panel.page.mainFrame())).toEqual([]);
  },
);
