import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import { request, text } from '../support/panel-events.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const words = (content: string): Delta => ({ type: 'text_delta', session: 'session-1', text: content });

test('a page that is loaded again shows the same conversation', async () => {
  const panel = await open({ events: [{ type: 'user', content: 'Hello' }, request(1), text('**Hi**')] });
  await panel.emit(text('More'));
  const shown = () => panel.page.locator('[role="log"]').innerHTML();
  const before = await shown();
  await panel.reload();
  await panel.part('text').last().waitFor();
  expect(await shown()).toBe(before);
  expect(await panel.messages('ready')).toMatchObject([
    { session: '', lastSeq: 0 },
    { session: 'session-1', lastSeq: 0 },
  ]);
});

test('a page that is shown again asks for what it missed, and only for that', async () => {
  const panel = await open({ events: [text('one')] });
  await panel.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect
    .poll(async () => (await panel.messages('ready')).at(-1))
    .toMatchObject({ session: 'session-1', lastSeq: 1 });
  expect(await panel.texts()).toEqual(['one']);
});

test('after a gap the page asks for the missing events and draws them in order', async () => {
  const panel = await open({ events: [request(1), text('one')] });
  await panel.part('text').waitFor();
  const lost = panel.append([text('two')]);
  await panel.emit(text('three'));
  expect(lost).toHaveLength(1);
  await expect.poll(() => panel.texts()).toEqual(['one', 'two', 'three']);
  expect((await panel.messages('ready')).at(-1)).toMatchObject({ lastSeq: 2 });
});

test('another session replaces the conversation and what belongs to it', async () => {
  const panel = await open({ events: [{ type: 'user', content: 'Old' }] });
  await panel.part('user').waitFor();
  await panel.showSession('session-2', [{ type: 'user', content: 'New' }]);
  expect(await panel.part('user').allTextContents()).toEqual(['New']);
  await panel.stream(words('stray'));
  expect(await panel.part('text').count()).toBe(0);
});

test('a page that lacks what it draws with says so, and not that it lives, so that it is made anew', async () => {
  const panel = await open({ events: [text('one')] });
  await panel.send({ type: 'ping' });
  expect(await panel.messages('pong')).toHaveLength(1);
  await panel.page.route('**/parser-*.js', (route) => route.abort());
  await panel.page.reload();
  await expect.poll(async () => (await panel.messages('log')).length).toBe(1);
  await panel.send({ type: 'ping' });
  expect(await panel.messages('pong')).toHaveLength(1);
  expect(await panel.texts()).toEqual([]);
});
