// A streamed answer as a page gets it, in the panel and in a bare page that only appends text.
import type { CDPSession, Page } from 'playwright-core';
import { defaultState, type PanelPage } from '../../test/support/panel-page.ts';
import { richTokens } from '../../test/support/rich-markdown.ts';
import { countNodes } from './count-nodes.ts';

/** Milliseconds from one message of the host to the next. */
const PERIOD = 16;

export interface Streamed {
  /** Microseconds of processor time that the page's main thread took. */
  readonly mainThread: number;
  /** Milliseconds from the last token until a frame showed the last character. */
  readonly delay: number;
  readonly nodes: number;
}

/** Streams an answer of `count` tokens into the panel, `perMessage` at a time. */
export async function streamIntoPanel(
  panel: PanelPage,
  count: number,
  perMessage: number,
): Promise<Streamed> {
  await beginAnswer(panel);
  return continuePanel(panel, count, perMessage);
}

/** The same, behind what the answer has already. */
export function continuePanel(panel: PanelPage, count: number, perMessage: number): Promise<Streamed> {
  const { session } = defaultState;
  const messages = inMessages(count, perMessage).map((text) => ({
    type: 'update',
    events: [],
    deltas: [{ type: 'text_delta', session, text }],
    starts: [],
  }));
  return measure(panel.page, () => panel.page.evaluate(postInTime, { messages, period: PERIOD, end: END }));
}

/** Appends the same text to a page without anything else. */
export async function streamIntoBare(page: Page, count: number, perMessage: number): Promise<Streamed> {
  await page.setContent('<div id="log" style="height: 600px; overflow: auto; white-space: pre-wrap"></div>');
  await page.evaluate(listenBare);
  return continueBare(page, count, perMessage);
}

export function continueBare(page: Page, count: number, perMessage: number): Promise<Streamed> {
  const messages = inMessages(count, perMessage);
  return measure(page, () => page.evaluate(postInTime, { messages, period: PERIOD, end: END }));
}

/** A prompt, and what comes before its answer. */
async function beginAnswer(panel: PanelPage): Promise<void> {
  await panel.emit(
    { type: 'user', content: 'How can this be faster?' },
    { type: 'turn_started', turn: 1 },
    { type: 'request_started', request: 1, provider: 'bench', model: 'bench' },
  );
}

const END = 'The last words of it.';

/** `perMessage` may be a fraction. */
function inMessages(count: number, perMessage: number): string[] {
  const tokens = [...richTokens(count), END];
  return Array.from({ length: Math.ceil(tokens.length / perMessage) }, (_, index) =>
    tokens.slice(index * perMessage, (index + 1) * perMessage).join(''),
  );
}

async function measure(page: Page, stream: () => Promise<number>): Promise<Streamed> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await taskTime(session);
  const delay = await stream();
  const mainThread = (await taskTime(session)) - before;
  const nodes = await page.evaluate(countNodes);
  await session.detach();
  return { mainThread, delay, nodes };
}

async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  const seconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  return seconds * 1e6;
}

interface Posts {
  readonly messages: readonly unknown[];
  readonly period: number;
  readonly end: string;
}

/** Runs in the page: posts as the host does, and gives back the milliseconds until the end of the text is drawn. */
async function postInTime({ messages, period, end }: Posts): Promise<number> {
  const started = performance.now();
  for (const [index, message] of messages.entries()) {
    const wait = started + index * period - performance.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait)));
    window.postMessage(message, window.origin === 'null' ? '*' : window.origin);
  }
  const last = performance.now();
  const log = document.querySelector('[role="log"], #log');
  const isDrawn = () => (log?.lastElementChild?.textContent ?? '').trimEnd().endsWith(end);
  while (!isDrawn() && performance.now() - last < 60_000) await new Promise(requestAnimationFrame);
  // The frame that shows it has been drawn when the next one begins.
  await new Promise(requestAnimationFrame);
  return performance.now() - last;
}

/** Runs in the bare page: a new element now and then, since laying out a single one grows with its length. */
function listenBare(): void {
  const log = document.querySelector('#log');
  let size = Number.POSITIVE_INFINITY;
  window.addEventListener('message', ({ data }) => {
    if (size > 2_000) log?.append(document.createElement('p'));
    size = size > 2_000 ? 0 : size;
    log?.lastElementChild?.append(data);
    size += String(data).length;
    if (log) log.scrollTop = log.scrollHeight;
  });
}
