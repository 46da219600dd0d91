// Windows of a real VS Code in which answers stream into a view, Harness's or the bare extension's. The
// view's page has a process of its own, as on the desktop.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, CDPSession, Frame, Page } from 'playwright-core';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import type { RunningVsCode } from '../../scripts/lib/vscode/server.mjs';
import { isolatedUrl, isolateWebviews, isolatingContext } from '../../test/support/vscode/webview-process.ts';
import type { Bench } from './bench.ts';
import { countNodes } from './count-nodes.ts';
import { callInHost } from './extension-host.ts';
import { type Smoothness, watchFrames } from './frame-watch.ts';
import { panelFrame } from './session-window.ts';

const LIMIT_MS = 60_000;
/** Milliseconds in which a page comes to rest. */
const REST = 1_000;
/** Tokens per second of a fast model, and the number of tokens that are measured. */
const RATE = 200;
const WATCHED = 2_000;
const LABELS = { Harness: 'Ask Harness', Bare: 'Ask' } as const;

export type ExtensionName = keyof typeof LABELS;

export interface Streamed {
  /** Milliseconds of processor time of the page's main thread. */
  readonly mainThread: number;
  /** Milliseconds from the last token until a frame showed the last character. */
  readonly delay: number;
  readonly nodes: number;
}

export interface StreamWindow {
  /**
   * The cost of this many tokens in a new conversation. Without a rate, the model sends them as fast as they
   * are read.
   */
  answer(tokens: number, rate?: number): Promise<Streamed>;
  /** How smoothly a fast model's answer continues for ten seconds, after this many tokens. */
  watch(behind: number): Promise<Smoothness>;
  close(): Promise<void>;
}

/** @param model the address of programs/token-server.ts */
export async function openStreamWindow(
  bench: Bench,
  vscode: RunningVsCode,
  browser: Browser,
  name: ExtensionName,
  model: string,
): Promise<StreamWindow> {
  const context = await browser.newContext({ ...isolatingContext, viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await isolateWebviews(page);
  const isolated = { ...vscode, url: isolatedUrl(vscode.url) };
  await callInHost(bench, isolated, page, { file: 'settle.ts', name: 'settle', args: [] });
  await page.locator(`.activitybar a.action-label[aria-label^="${name}"]`).click();
  const begin = async (): Promise<Conversation> => {
    const frame = await beginConversation(page, name);
    await fetch(`${model}/asked`);
    await sleep(REST);
    return { frame, model };
  };
  return {
    answer: async (tokens, rate) => answer(await begin(), { tokens, rate }),
    watch: async (behind) => watch(await begin(), page, behind),
    close: () => context.close(),
  };
}

interface Words {
  readonly tokens: number;
  /** Tokens a second. */
  readonly rate?: number | undefined;
}

/** A conversation whose model waits for instructions. */
interface Conversation {
  readonly frame: Frame;
  readonly model: string;
}

async function beginConversation(page: Page, name: ExtensionName): Promise<Frame> {
  const frame = await panelFrame(page, LABELS[name]);
  if (name === 'Harness') await runCommand(page, 'Harness: New Session');
  await frame.locator('[data-part="user"]').first().waitFor({ state: 'detached' });
  const input = frame.locator('textarea');
  await input.fill('How can this be faster?');
  await input.press('Enter');
  return frame;
}

async function answer({ frame, model }: Conversation, words: Words): Promise<Streamed> {
  const session = await processOf(frame);
  const before = await taskTime(session);
  const delay = await say({ frame, model }, words);
  const nodes = await frame.evaluate(countNodes);
  await finish(model);
  const mainThread = (await taskTime(session)) - before;
  await session.detach();
  return { mainThread, delay, nodes };
}

async function watch(conversation: Conversation, page: Page, behind: number): Promise<Smoothness> {
  await say(conversation, { tokens: behind });
  await sleep(REST);
  const smoothness = await watchFrames(page, conversation.frame, () =>
    say(conversation, { tokens: WATCHED, rate: RATE }),
  );
  await finish(conversation.model);
  return smoothness;
}

let said = 0;

/** Milliseconds from the last token until a frame showed it. */
async function say({ frame, model }: Conversation, { tokens, rate }: Words): Promise<number> {
  said += 1;
  const end = `The last words of answer ${said}.`;
  const query = new URLSearchParams({ tokens: `${tokens}`, end: `\n\n${end}` });
  if (rate !== undefined) query.set('rate', `${rate}`);
  const response = await fetch(`${model}/say?${query}`);
  const written = Number(await response.text());
  return (await frame.evaluate(untilDrawn, end)) - written;
}

async function finish(model: string): Promise<void> {
  await fetch(`${model}/finish`);
  await sleep(REST);
}

/** The process of the webview. VS Code puts the page into a separate frame. */
async function processOf(frame: Frame): Promise<CDPSession> {
  const session = await frame
    .page()
    .context()
    .newCDPSession(frame.parentFrame() ?? frame);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

/** Milliseconds. */
async function taskTime(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000;
}

/** Runs in the page: the time when the words become visible, in milliseconds since the epoch. */
async function untilDrawn(words: string): Promise<number> {
  const isDrawn = () => {
    const last = [...document.querySelectorAll('[data-part="text"], #conversation > p')].at(-1);
    return last?.textContent.includes(words) && last.getBoundingClientRect().bottom <= innerHeight;
  };
  const deadline = performance.now() + 60_000;
  while (!isDrawn()) {
    if (performance.now() > deadline) throw new Error(`The page did not show: ${words}`);
    await new Promise(requestAnimationFrame);
  }
  // The frame has been drawn when the next one begins.
  await new Promise(requestAnimationFrame);
  return performance.timeOrigin + performance.now();
}
