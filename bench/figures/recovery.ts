import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openFile } from '../../scripts/lib/vscode/browser.mjs';
import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf, rowOfPairs } from '../lib/report.ts';
import type { SessionPlan } from '../lib/session-plan.ts';
import { type SessionScene, withSessionScene } from '../lib/session-scene.ts';
import type { SessionWindow } from '../lib/session-window.ts';
import { median } from '../lib/statistics.ts';
import { openBare } from './view.ts';

const ROUNDS = 5;
/** Milliseconds. */
const LIMIT = 1_000;
/** Messages of a page after which Harness knows how quickly it answers. */
const SIGNS = 8;
/** Milliseconds between two messages, and in which a draft is stored. */
const PAUSE = 400;
const DRAFT = 'what I was about to say';

/**
 * Measures from the crash of a panel's page, and a user's click beside it, until the end of the session is
 * painted again.
 */
export function recovery(bench: Bench): Promise<readonly Row[]> {
  return withSessionScene(bench, async (scene) => {
    const windows = { long: await prepared(scene, scene.long), short: await prepared(scene, scene.short) };
    const times = { long: [] as number[], short: [] as number[] };
    const bare: number[] = [];
    for (let round = 0; round < bench.rounds(ROUNDS); round += 1) {
      for (const name of ['long', 'short'] as const)
        times[name].push(await rebuilt(windows[name], scene[name]));
      bare.push(await openBare(bench, scene.at(scene.emptyFolder), scene.browser));
    }
    for (const window of Object.values(windows)) await window.close();
    return [
      limitRow('10,000 parts', times.long),
      limitRow('10 parts', times.short),
      rowOfPairs(
        { figure: 'recovery: 10,000 parts, beside 10', unit: 'ms', limit: 1.5 },
        times.long,
        times.short,
      ),
      rowOfPairs(
        { figure: 'recovery: 10,000 parts, beside opening the bare view', unit: 'ms' },
        times.long,
        bare,
      ),
    ];
  });
}

function limitRow(parts: string, times: readonly number[]): Row {
  return rowOf({ figure: `recovery: ${parts}, beside a second`, unit: 'ms', limit: 1 }, median(times), LIMIT);
}

/** Opens a window of that session with a draft, beside an editor. */
async function prepared(scene: SessionScene, plan: SessionPlan): Promise<SessionWindow> {
  const window = await scene.openWindow(plan.workspace);
  await openFile(window.page, NOTES);
  await window.openPanel();
  await window.painted(plan);
  const input = (await window.frame()).locator('textarea[aria-label="Ask Harness"]');
  await input.fill(DRAFT);
  return window;
}

/** A file in the folder of each session. */
const NOTES = 'notes.txt';

async function rebuilt(window: SessionWindow, plan: SessionPlan): Promise<number> {
  const frame = await window.frame();
  for (let sign = 0; sign < SIGNS; sign += 1) {
    await clickBeside(window.page);
    await sleep(PAUSE);
  }
  await frame.evaluate(die);
  // A layout during the crash makes the page request more of a long session, and a message counts as a sign
  // of life.
  await sleep(PAUSE);
  await clickBeside(window.page);
  const time = await window.painted(plan);
  const draft = await (await window.frame()).locator('textarea[aria-label="Ask Harness"]').inputValue();
  if (draft !== DRAFT) throw new Error(`The panel came back with another draft: “${draft}”.`);
  return time;
}

let clicks = 0;

/** Clicks into another line each time. */
async function clickBeside(page: Page): Promise<void> {
  clicks += 1;
  await page
    .locator('.monaco-editor .view-line')
    .nth(clicks % 2)
    .click();
}

/** Runs in the panel's frame. Removes the content and all message listeners. */
function die(): void {
  document.open();
  document.close();
}
