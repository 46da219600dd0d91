import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { makeGate } from '../support/gate.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const running: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
];
const submitted = async (panel: PanelPage) => (await panel.messages('prompt/submit')).map(({ text }) => text);
const height = (panel: PanelPage) => panel.input.evaluate((input) => input.clientHeight);

test('the input has the focus; Enter sends and empties it', async () => {
  const panel = await open();
  await panel.page.keyboard.type('Hello');
  await panel.page.keyboard.press('Enter');
  expect(await panel.messages('prompt/submit')).toEqual([
    { type: 'prompt/submit', session: 'session-1', text: 'Hello' },
  ]);
  expect(await panel.input.inputValue()).toBe('');
});

const saved = (session: string) => ({
  session,
  draft: { text: '', attachments: [] },
  isKept: true,
  reading: null,
  expanded: {},
});

test.each([
  { saved: undefined, typed: '', kept: '', sent: ['Hello'], input: '' },
  { saved: undefined, typed: '!', kept: '', sent: [], input: 'Hello!' },
  { saved: undefined, typed: '', kept: 'a draft', sent: [], input: 'a draft\nHello' },
  { saved: saved('session-0'), typed: '', kept: '', sent: ['Hello'], input: '' },
  { saved: saved('session-1'), typed: '', kept: 'a draft', sent: [], input: 'a draft\nHello' },
])(
  'Enter before there is a session is meant for it, if nothing else comes into the input: $saved.session, $input',
  async (each) => {
    const { opened, open: start } = makeGate();
    const panel = await open({
      started: opened,
      saved: each.saved,
      kept: { 'session-1': { text: each.kept, attachments: [] } },
    });
    await panel.input.focus();
    await panel.page.keyboard.type('Hello');
    await panel.page.keyboard.press('Enter');
    await panel.page.keyboard.type(each.typed);
    start();
    await panel.shown;
    expect(await submitted(panel)).toEqual(each.sent);
    expect(await panel.input.inputValue()).toBe(each.input);
  },
);

test('the Send button sends, and is off while there is nothing to send', async () => {
  const panel = await open();
  const send = panel.page.locator('[aria-label="Send"]');
  expect(await send.isDisabled()).toBe(true);
  await panel.input.fill('  \n');
  expect(await send.isDisabled()).toBe(true);
  await panel.page.keyboard.press('Enter');
  await panel.input.fill('Hello');
  await send.click();
  expect(await submitted(panel)).toEqual(['Hello']);
});

test('Shift+Enter and Ctrl+Enter break the line at the caret, and can be undone', async () => {
  const panel = await open();
  for (const keys of ['Control+Enter', 'Shift+Enter']) {
    await panel.page.keyboard.type('ab');
    await panel.page.keyboard.press('ArrowLeft');
    await panel.page.keyboard.press(keys);
    expect(await panel.input.inputValue()).toBe('a\nb');
    await panel.page.keyboard.press('Control+z');
    expect(await panel.input.inputValue()).toBe('ab');
    await panel.page.keyboard.press('Control+u');
  }
  expect(await submitted(panel)).toEqual([]);
});

test('Enter that ends an input method is not sent', async () => {
  const panel = await open();
  await panel.input.fill('にほん');
  const press = (init: { isComposing?: boolean; keyCode?: number }) =>
    panel.input.evaluate((input, more) => {
      const options = { key: 'Enter', bubbles: true, cancelable: true, ...more };
      input.dispatchEvent(new KeyboardEvent('keydown', options));
    }, init);
  await press({ isComposing: true });
  await press({ keyCode: 229 });
  expect(await submitted(panel)).toEqual([]);
  await press({});
  expect(await submitted(panel)).toEqual(['にほん']);
});

test('Up and Down walk through earlier prompts, and the draft is kept', async () => {
  const panel = await open({ state: { history: ['first', 'second\nline'] } });
  const press = async (key: string) => {
    await panel.page.keyboard.press(key);
    return panel.input.inputValue();
  };
  await panel.page.keyboard.type('draft');
  expect(await press('ArrowUp')).toBe('second\nline');
  expect(await press('ArrowUp')).toBe('second\nline');
  expect(await press('ArrowUp')).toBe('first');
  expect(await press('ArrowUp')).toBe('first');
  expect(await press('ArrowDown')).toBe('second\nline');
  expect(await press('ArrowDown')).toBe('draft');
  expect(await press('ArrowDown')).toBe('draft');
});

test('a draft behind an earlier prompt outlives the page', async () => {
  const panel = await open({ state: { history: ['first'] } });
  await panel.page.keyboard.type('draft');
  await panel.page.keyboard.press('ArrowUp');
  expect(await panel.input.inputValue()).toBe('first');
  await panel.reload();
  await expect.poll(() => panel.input.inputValue()).toBe('draft');
});

test('in a prompt that wraps, Up first goes through its rows', async () => {
  const panel = await open({ width: 250, state: { history: ['old'] } });
  const long = 'word '.repeat(30).trim();
  await panel.page.keyboard.type(long);
  await panel.page.keyboard.press('ArrowUp');
  expect(await panel.input.inputValue()).toBe(long);
  expect(await panel.input.evaluate((input: HTMLTextAreaElement) => input.selectionStart)).toBeLessThan(
    long.length,
  );
});

test('Ctrl+U empties the input, and undo brings the text back', async () => {
  const panel = await open();
  await panel.page.keyboard.type('words');
  await panel.page.keyboard.press('Control+u');
  expect(await panel.input.inputValue()).toBe('');
  await panel.page.keyboard.press('Control+z');
  expect(await panel.input.inputValue()).toBe('words');
});

test('the input grows with its text from one line to ten, then scrolls, and shrinks again', async () => {
  const panel = await open();
  const one = await height(panel);
  await panel.input.fill('a\nb\nc');
  const three = await height(panel);
  await panel.input.fill(Array.from({ length: 10 }, () => 'a').join('\n'));
  const ten = await height(panel);
  await panel.input.fill(Array.from({ length: 30 }, () => 'a').join('\n'));
  const row = (ten - one) / 9;
  expect(Math.abs(three - one - 2 * row)).toBeLessThan(1);
  expect(row).toBeGreaterThan(10);
  expect(await height(panel)).toBe(ten);
  expect(await panel.input.evaluate((input) => input.scrollHeight > input.clientHeight)).toBe(true);
  await panel.input.fill('');
  expect(await height(panel)).toBe(one);
});

test('the input grows when its text wraps or the panel gets narrower', async () => {
  const panel = await open({ width: 600 });
  await panel.input.fill('word '.repeat(14));
  const wide = await height(panel);
  await panel.page.setViewportSize({ width: 220, height: 640 });
  expect(await height(panel)).toBeGreaterThan(wide);
});

test('in a session that another window writes, nothing can be typed or sent', async () => {
  const panel = await open({ state: { readOnly: true } });
  await panel.page.keyboard.type('x');
  expect(await panel.input.inputValue()).toBe('');
  expect(await panel.input.getAttribute('readonly')).not.toBeNull();
  expect(await panel.page.locator('[aria-label="Send"]').isDisabled()).toBe(true);
  await panel.setState({ readOnly: false });
  await panel.page.keyboard.type('x');
  expect(await panel.input.inputValue()).toBe('x');
});

test('Esc pressed twice stops the run, once does not', async () => {
  const panel = await open({ events: running });
  // The first one counts for a while only.
  await panel.holdTimers();
  await panel.page.keyboard.press('Escape');
  await panel.page.getByRole('status').getByText('Press Esc again to stop').waitFor();
  expect(await panel.messages('run/cancel')).toEqual([]);
  await panel.page.keyboard.press('Escape');
  expect(await panel.messages('run/cancel')).toHaveLength(1);
});

test('F1 and ? in an empty input open the help, the next key closes it and the input has the focus again', async () => {
  const panel = await open();
  const help = panel.page.locator('[role="dialog"][aria-label="Help"]');
  for (const key of ['F1', '?']) {
    await panel.page.keyboard.press(key);
    await help.waitFor();
    await panel.page.keyboard.press('Shift');
    expect(await help.isVisible()).toBe(true);
    await panel.page.keyboard.press('x');
    await help.waitFor({ state: 'detached' });
    expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await panel.input.inputValue()).toBe('');
  }
  await panel.page.keyboard.type('why?');
  expect(await help.count()).toBe(0);
  expect(await panel.input.inputValue()).toBe('why?');
});

test('the help is closed when the panel is asked for its input', async () => {
  const panel = await open();
  await panel.page.keyboard.press('F1');
  const help = panel.page.locator('[role="dialog"][aria-label="Help"]');
  await help.waitFor();
  await panel.send({ type: 'input/focus' });
  await help.waitFor({ state: 'detached' });
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
});

test('keys that are used here do not reach VS Code; all others do', async () => {
  const panel = await open();
  await panel.page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    window.addEventListener('keydown', (event) => seen.push(event.key));
  });
  for (const key of ['a', 'Enter', 'F1', 'x', 'Control+u', 'PageUp', 'F5'])
    await panel.page.keyboard.press(key);
  expect(await panel.page.evaluate(() => Reflect.get(window, 'seen'))).toEqual(['a', 'Control', 'F5']);
});

test('the host can put text at the caret and give the input the focus', async () => {
  const panel = await open();
  await panel.page.keyboard.type('see');
  await panel.send({ type: 'input/insert', text: '@a.ts:1-3 ' });
  expect(await panel.input.inputValue()).toBe('see @a.ts:1-3 ');
  await panel.page.locator('[role="log"]').focus();
  await panel.send({ type: 'input/focus' });
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(true);
  expect(await submitted(panel)).toEqual([]);
});

test('the draft outlives the page', async () => {
  const panel = await open();
  await panel.page.keyboard.type('half a thought');
  await panel.reload();
  expect(await panel.input.inputValue()).toBe('half a thought');
});

test('a mode is asked for, and shown when the host has set it', async () => {
  const panel = await open();
  const mode = panel.page.getByRole('combobox', { name: 'Permission mode' });
  await mode.selectOption({ label: 'Accept Edits' });
  expect(await panel.messages('mode/select')).toEqual([{ type: 'mode/select', mode: 'acceptEdits' }]);
  expect(await mode.inputValue()).toBe('ask');
  await panel.setState({ mode: 'acceptEdits' });
  expect(await mode.inputValue()).toBe('acceptEdits');
});

test('the model is named, and another can be chosen', async () => {
  const panel = await open({ state: { modelName: 'Sonnet', model: 'anthropic/claude-sonnet' } });
  await panel.page.getByRole('button', { name: 'Sonnet' }).click();
  expect(await panel.messages('command')).toEqual([{ type: 'command', command: 'harness.selectModel' }]);
});
