import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { type RunningVsCode, startTestServer } from '../../scripts/lib/vscode/server.mjs';
import type { Bench } from '../lib/bench.ts';
import { callInHost, withPage } from '../lib/extension-host.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { type Marks, watchForInput } from '../lib/watch-for-input.ts';

const ROUNDS = 6;
const LIMIT_MS = 60_000;

type View = 'Harness' | 'Bare';

/**
 * Measures from the click on the view's icon until the user can type, each time in a new window with its own
 * extension host.
 */
export async function view(bench: Bench): Promise<readonly Row[]> {
  const vscode = await startTestServer({ name: 'bench-view' });
  const browser = await launchBrowser();
  const times: Record<View, number[]> = { Harness: [], Bare: [] };
  try {
    for (let round = 0; round < bench.rounds(ROUNDS); round++) {
      const views = round % 2 === 0 ? (['Harness', 'Bare'] as const) : (['Bare', 'Harness'] as const);
      for (const name of views) {
        const time = await withPage(browser, (page) => openView(bench, vscode, page, name));
        times[name].push(time);
      }
    }
  } finally {
    await browser.close();
    await vscode.stop();
  }
  const given = { figure: 'view opened until input usable', unit: 'ms', limit: 2 } as const;
  return [rowOfPairs(given, times.Harness, times.Bare)];
}

/** Milliseconds until the user can type into the bare extension's view, in a fresh window. */
export function openBare(bench: Bench, vscode: RunningVsCode, browser: Browser): Promise<number> {
  return withPage(browser, (page) => openView(bench, vscode, page, 'Bare'));
}

async function openView(bench: Bench, vscode: RunningVsCode, page: Page, name: View): Promise<number> {
  await page.addInitScript(watchForInput);
  await callInHost(bench, vscode, page, { file: 'settle.ts', name: 'settle', args: [] });
  await page.locator(`.activitybar a.action-label[aria-label^="${name}"]`).click();
  const usable = await untilUsable(page);
  const { clicked } = await page.evaluate(readMarks);
  return usable - (clicked ?? Number.NaN);
}

/** When an input of a webview became usable, in milliseconds since the epoch. */
async function untilUsable(page: Page): Promise<number> {
  const deadline = Date.now() + LIMIT_MS;
  while (Date.now() < deadline) {
    for (const frame of page.frames()) {
      // A frame may disappear during the call.
      const marks = await frame.evaluate(readMarks).catch(() => undefined);
      if (marks?.usable) return marks.usable;
    }
    await sleep(100);
  }
  throw new Error('The view opened, but no input in it could be used.');
}

function readMarks(): Marks {
  return (globalThis as { benchMarks?: Marks }).benchMarks ?? {};
}
