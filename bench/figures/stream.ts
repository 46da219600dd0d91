import type { CDPSession } from 'playwright-core';
import type { HostMessage } from '../../extension/protocol/messages.ts';
import { defaultState, launchPanelBrowser, type PanelPage } from '../../test/support/panel-page.ts';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { richTokens } from '../lib/rich-markdown.ts';

const ROUNDS = 5;
const SHORT = 2000;
const LONG = 8000;
const WARM_UP = 500;
/** As many as come between two frames when they come as fast as they can. */
const TOKENS_OF_UPDATE = 40;

/** What the panel's main thread does for a token of a long answer, beside a token of a shorter one. */
export async function stream(bench: Bench): Promise<readonly Row[]> {
  const browser = await launchPanelBrowser();
  const times = { long: [] as number[], short: [] as number[] };
  for (let round = 0; round < bench.rounds(ROUNDS); round++) {
    for (const [name, count] of [['short', SHORT] as const, ['long', LONG] as const]) {
      const panel = await browser.open();
      times[name].push((await mainThreadTime(panel, count)) / count);
      await panel.close();
    }
  }
  await browser.close();
  const figure = `stream: a token of ${LONG}, beside one of ${SHORT}`;
  return [rowOfPairs({ figure, unit: 'µs', limit: 1.3 }, times.long, times.short)];
}

/** Microseconds, of an answer that is not the page's first. */
async function mainThreadTime(panel: PanelPage, count: number): Promise<number> {
  const session = await panel.page.context().newCDPSession(panel.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await answer(panel, 1, WARM_UP);
  const before = await taskTime(session);
  await answer(panel, 2, count);
  return (await taskTime(session)) - before;
}

/** A prompt and its answer, streamed and then as the event that it ends in. */
async function answer(panel: PanelPage, number: number, count: number): Promise<void> {
  const tokens = richTokens(count);
  await panel.emit(
    { type: 'user', content: 'How can this be faster?' },
    { type: 'turn_started', turn: number },
    { type: 'request_started', request: number, provider: 'bench', model: 'bench' },
  );
  await panel.page.evaluate(postInTime, toUpdates(tokens));
  await panel.emit(
    { type: 'text', content: tokens.join('') },
    { type: 'request_ended', request: number, outcome: 'completed', stop: 'end' },
    { type: 'turn_ended', turn: number, reason: 'done' },
  );
}

function toUpdates(tokens: readonly string[]): HostMessage[] {
  const { session } = defaultState;
  return Array.from({ length: Math.ceil(tokens.length / TOKENS_OF_UPDATE) }, (_, index) => {
    const start = index * TOKENS_OF_UPDATE;
    const text = tokens.slice(start, start + TOKENS_OF_UPDATE).join('');
    return { type: 'update', events: [], deltas: [{ type: 'text_delta', session, text }], starts: [] };
  });
}

/** Runs in the page: posts a message a frame, as the host does. */
async function postInTime(messages: readonly unknown[]): Promise<void> {
  for (const message of messages) {
    window.postMessage(message, window.origin);
    await new Promise((resolve) => setTimeout(resolve, 16));
  }
}

/** Microseconds of processor time that the page's main thread has worked so far. */
async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  return seconds * 1e6;
}
