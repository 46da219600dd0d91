import { expect, test } from 'vitest';
import type { EventDraft } from '../../extension/protocol/events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const image = (digit: string) => ({
  name: `attachments/${digit.repeat(64)}.png`,
  title: `${digit}.png`,
  bytes: 1,
  thumbnail: '',
});
const typed = (text: string) => ({ text, attachments: [] });
const value = (panel: PanelPage) => panel.input.inputValue();
const chips = (panel: PanelPage) => panel.page.locator('.chip-name').allTextContents();
const answered: readonly EventDraft[] = [
  { type: 'user', content: 'Look at this', attachments: [image('b').name] },
  { type: 'turn_started', turn: 1 },
  { type: 'turn_ended', turn: 1, reason: 'done' },
];

test('what is typed is given to the host, and shown by a page that knows nothing of it', async () => {
  const panel = await open();
  await panel.page.keyboard.type('half a thought');
  await expect.poll(() => panel.kept.get('session-1')).toEqual(typed('half a thought'));
  const other = await open({ kept: { 'session-1': { text: 'half a thought', attachments: [image('a')] } } });
  expect(await value(other)).toBe('half a thought');
  expect(await chips(other)).toEqual(['a.png']);
  await other.page.keyboard.press('Enter');
  expect((await other.messages('prompt/submit')).map(({ text }) => text)).toEqual(['half a thought']);
  expect(other.kept.size).toBe(0);
});

test('the host is told at once when the page loses the focus, or keys are pressed that may close it', async () => {
  const panel = await open();
  await panel.input.evaluate((input: HTMLTextAreaElement) => {
    input.value = 'x';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    window.dispatchEvent(new FocusEvent('blur'));
    input.value = 'xy';
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'w', ctrlKey: true, bubbles: true }));
  });
  expect((await panel.messages('draft/save')).map(({ draft }) => draft.text)).toEqual(['x', 'xy']);
});

test('what another panel types appears in a page that is not typed in, with the focus where it was', async () => {
  const panel = await open();
  await panel.page.locator('[role="log"]').focus();
  await panel.sendDraft({ text: 'typed there', attachments: [image('a')] });
  expect(await value(panel)).toBe('typed there');
  expect(await chips(panel)).toEqual(['a.png']);
  expect(await panel.input.evaluate((input) => input === document.activeElement)).toBe(false);
  await panel.input.focus();
  await panel.page.keyboard.type('!');
  await panel.sendDraft(typed('typed there too'));
  expect(await value(panel)).toContain('!');
  await expect.poll(() => panel.kept.get('session-1')?.text).toContain('!');
});

test('what the host inserts comes behind the draft that it keeps', async () => {
  const panel = await open({ kept: { 'session-2': typed('see') } });
  panel.state = { ...panel.state, session: 'session-2' };
  await panel.send(
    {
      type: 'snapshot',
      state: panel.state,
      head: { run: { busy: false, state: 'idle', message: '', since: 0 }, approvals: [], tokens: 0 },
      lines: [],
      after: 0,
      from: 0,
      starts: [],
      events: [],
    },
    { type: 'draft', session: 'session-2', draft: typed('see') },
    { type: 'input/insert', text: '@a.ts ' },
  );
  expect(await value(panel)).toBe('see @a.ts ');
});

test('an earlier prompt is edited with its own images; cancelling brings the draft back with its chips', async () => {
  const panel = await open({
    events: answered,
    kept: { 'session-1': { text: 'a draft', attachments: [image('a')] } },
  });
  await panel.part('user').hover();
  await panel.part('user').getByRole('button', { name: 'Edit this prompt' }).click();
  expect(await value(panel)).toBe('Look at this');
  expect(await chips(panel)).toEqual(['Image 1']);
  await panel.reload();
  await panel.page.locator('.editing').waitFor();
  expect([await value(panel), await chips(panel)]).toEqual(['Look at this', ['Image 1']]);
  await panel.page.keyboard.press('Escape');
  expect([await value(panel), await chips(panel)]).toEqual(['a draft', ['a.png']]);

  await panel.part('user').getByRole('button', { name: 'Edit this prompt' }).focus();
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.press('Enter');
  const [fork] = await panel.messages('prompt/fork');
  expect(fork).toMatchObject({ before: 1, text: 'Look at this', attachments: [{ name: image('b').name }] });
  expect([await value(panel), await chips(panel)]).toEqual(['a draft', ['a.png']]);
});

test('an edited prompt waits in its session, and cannot be ended where another window writes that', async () => {
  const panel = await open({ events: answered });
  await panel.part('user').getByRole('button', { name: 'Edit this prompt' }).focus();
  await panel.page.keyboard.press('Enter');
  await panel.page.keyboard.type('!');
  await panel.showSession('session-2', []);
  expect(await value(panel)).toBe('');
  expect(await panel.page.locator('.editing').count()).toBe(0);
  panel.state = { ...panel.state, readOnly: true };
  await panel.showSession('session-1', answered);
  expect(await value(panel)).toBe('Look at this!');
  expect(await panel.page.locator('.editing').count()).toBe(0);
  await panel.input.focus();
  await panel.page.keyboard.press('Escape');
  expect(await value(panel)).toBe('Look at this!');
  await panel.setState({ readOnly: false });
  await panel.page.locator('.editing').waitFor();
});

test('a first prompt that was refused stays the draft of the next new session, whatever is opened meanwhile', async () => {
  const panel = await open({ state: { session: '' } });
  await panel.page.keyboard.type('a plan for @nothing ');
  await panel.page.keyboard.press('Enter');
  await expect.poll(async () => (await panel.messages('prompt/submit')).length).toBe(1);
  const refused = { text: 'a plan for @nothing ', attachments: [], reason: 'No.', canInsist: true };
  await panel.send({ type: 'prompt/refused', ...refused });
  await expect.poll(() => panel.kept.get('')).toEqual(typed('a plan for @nothing '));
  await panel.showSession('session-2', answered);
  await panel.sendDraft();
  await expect.poll(() => value(panel)).toBe('');
  expect(panel.kept.get('session-2')?.text ?? '').toBe('');
  expect(panel.kept.get('')).toEqual(typed('a plan for @nothing '));
});
