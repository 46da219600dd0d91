// Windows of a real VS Code that show a stored session.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Frame, Page } from 'playwright-core';
import { runCommand } from '../../scripts/lib/vscode/browser.mjs';
import type { RunningVsCode } from '../../scripts/lib/vscode/server.mjs';
import type { Bench } from './bench.ts';
import { callInHost } from './extension-host.ts';
import { lastWords, type SessionPlan } from './session-plan.ts';
import { type EndMarks, watchForEnd } from './watch-for-end.ts';

const LIMIT_MS = 60_000;
const POLL_MS = 100;

export interface SessionWindow {
  readonly page: Page;
  /** Clicks on the view's icon. */
  openPanel(): Promise<void>;
  /** Chooses the session in the history. */
  choose(plan: SessionPlan): Promise<void>;
  /** Milliseconds from that click or choice until the end of the session is painted. */
  painted(plan: SessionPlan): Promise<number>;
  /** The panel's own frame, after its page has loaded. */
  frame(): Promise<Frame>;
  /** Resolves when the extension host has released the session. */
  close(): Promise<void>;
}

/** @param prepare is called with the page before VS Code is loaded into it */
export async function openSessionWindow(
  bench: Bench,
  vscode: RunningVsCode,
  browser: Browser,
  prepare: (page: Page) => Promise<unknown> = async () => {},
): Promise<SessionWindow> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const page = await context.newPage();
  page.setDefaultTimeout(LIMIT_MS);
  await page.addInitScript(watchForEnd);
  await prepare(page);
  await callInHost(bench, vscode, page, { file: 'settle.ts', name: 'settle', args: [] });
  return {
    page,
    openPanel: () => page.locator('.activitybar a.action-label[aria-label^="Harness"]').click(),
    async choose(plan) {
      await runCommand(page, 'Harness: Session History');
      await page.locator('.quick-input-list .monaco-list-row', { hasText: plan.title }).first().click();
    },
    painted: (plan) => untilPainted(page, lastWords(plan)),
    frame: () => panelFrame(page),
    async close() {
      // Leaving the page ends its extension host. If the context closed first, the server would wait for the
      // window to return.
      await page.goto('about:blank');
      await sleep(1_000);
      await context.close();
    },
  };
}

async function untilPainted(page: Page, words: string): Promise<number> {
  const deadline = Date.now() + LIMIT_MS;
  while (Date.now() < deadline) {
    for (const frame of page.frames().slice(1)) {
      const marks = await frame.evaluate(readMarks).catch((): EndMarks => ({}));
      const { acted = Number.NaN } = await page.evaluate(readMarks);
      if (marks.words === words && marks.painted && marks.painted > acted) return marks.painted - acted;
    }
    await sleep(POLL_MS);
  }
  throw new Error(`The panel did not show: ${words}`);
}

function readMarks(): EndMarks {
  return (globalThis as { benchEnd?: EndMarks }).benchEnd ?? {};
}

/** The frame whose input has that label, after its page has loaded. */
export async function panelFrame(page: Page, label = 'Ask Harness'): Promise<Frame> {
  const deadline = Date.now() + LIMIT_MS;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      const isWanted = (wanted: string) =>
        document.querySelector(`textarea[aria-label="${wanted}"]`) !== null;
      // A frame may disappear during the call.
      if (await frame.evaluate(isWanted, label).catch(() => false)) return frame;
    }
    await sleep(POLL_MS);
  }
  throw new Error('The panel has no page.');
}
