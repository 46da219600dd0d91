// What one more token and one more part cost the host of a panel, in work that is counted: as much as in a short session.
import { expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import type { Delta } from '../../../../extension/protocol/delta.ts';
import type { EventDraft, SessionEvent } from '../../../../extension/protocol/events.ts';
import type { HostMessage } from '../../../../extension/protocol/messages.ts';
import { PanelChannel } from '../../../../extension/vscode/panel/panel-channel.ts';
import { openBlockCounter } from '../../../support/count-blocks.ts';
import { call, request, requestEnd, result, storedEvents, text } from '../../../support/panel-events.ts';
import { richTokens } from '../../../support/rich-markdown.ts';

const countBlocks = await openBlockCounter('extension');

/** A session that is shown, as the host holds it. */
function host() {
  const log = new LogWindow();
  let bytes = 0;
  let messages = 0;
  const webview = {
    onDidReceiveMessage: () => ({ dispose: () => {} }),
    postMessage: async (message: HostMessage) => {
      bytes += JSON.stringify(message).length;
      messages += 1;
    },
  };
  // The channel uses no more of a view.
  const view = { visible: true, webview } as unknown as vscode.WebviewView;
  const nobody = () => {};
  const channel = new PanelChannel(view, () => log, nobody, nobody);
  /** What is gathered goes before a message that is sent at once. */
  const endFrame = () => channel.send({ type: 'input/focus' });
  return {
    log,
    write(...events: readonly SessionEvent[]) {
      log.apply(events);
      channel.events(events);
      endFrame();
    },
    stream(words: string) {
      const delta: Delta = { type: 'text_delta', session: 'session-1', text: words };
      channel.delta(delta);
      endFrame();
    },
    /** What `act` costs. */
    async cost(act: () => void) {
      bytes = 0;
      messages = 0;
      const blocks = await countBlocks(act);
      return { blocks, bytes, messages };
    },
  };
}

type Cost = Awaited<ReturnType<ReturnType<typeof host>['cost']>>;

/** However much longer, a cost that grows with the length is far beyond a fifth more. */
function expectSimilar(late: Cost, early: Cost): void {
  expect(early.blocks).toBeGreaterThan(200);
  expect(late.messages).toBe(early.messages);
  expect(late.bytes).toBeLessThan(early.bytes * 1.2);
  expect(late.blocks).toBeLessThan(early.blocks * 1.2);
}

it('a token behind 100,000 others costs what the first ones cost', async () => {
  const tokens = richTokens(2_000);
  const { cost, stream } = host();
  const some = () => {
    for (const token of tokens) stream(token);
  };
  some();
  const early = await cost(some);
  for (let time = 0; time < 50; time += 1) some();
  expectSimilar(await cost(some), early);
});

/** A prompt with its answer and eight calls: ten parts. */
function run(number: number): EventDraft[] {
  const ids = Array.from({ length: 8 }, (_, index) => `c${number}.${index}`);
  return [
    { type: 'user', content: 'Question' },
    { type: 'turn_started', turn: number },
    request(2 * number),
    ...ids.map((id) => call(id, 'bash', { command: 'npm test' })),
    requestEnd(2 * number),
    ...ids.map((id) => result(id, { stdout: 'fine', stderr: '', exitCode: 0 })),
    request(2 * number + 1),
    text('It is done.'),
    requestEnd(2 * number + 1),
    { type: 'turn_ended', turn: number, reason: 'done' },
  ];
}

it('a part behind 10,000 others costs what the first ones cost', async () => {
  const { cost, log, write } = host();
  const work = (from: number, to: number) => {
    for (let number = from; number < to; number += 1)
      for (const event of storedEvents(run(number), log.events.length + 1)) write(event);
  };
  work(0, 10);
  const early = await cost(() => work(10, 20));
  work(20, 1_000);
  expectSimilar(await cost(() => work(1_000, 1_010)), early);
});
