// Measures how quickly a panel's page responds to keys and to the wheel.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import { noteFrames, readFrames } from './frame-times.ts';
import { median } from './statistics.ts';

const KEYS = 20;
/** Milliseconds between two keys, and of one scroll. */
const KEY_PAUSE = 40;
const SCROLL_TIME = 1_500;
const WHEEL = 120;

/** The median in milliseconds from a key press until the frame with its letter is painted. */
export async function keyToPaint(page: Page, frame: Frame): Promise<number> {
  const input = frame.locator('textarea[aria-label="Ask Harness"]');
  await page.bringToFront();
  await input.fill('');
  await input.focus();
  await frame.evaluate(noteKeys);
  for (let key = 0; key < KEYS; key += 1) {
    await page.keyboard.press('x');
    await sleep(KEY_PAUSE);
  }
  const times = await frame.evaluate(() => (globalThis as { benchKeys?: number[] }).benchKeys ?? []);
  if (times.length !== KEYS) throw new Error(`Of ${KEYS} keys, ${times.length} were painted.`);
  return median(times);
}

/** Runs in the panel's frame. */
function noteKeys(): void {
  const times: number[] = [];
  const isNoting = 'benchKeys' in globalThis;
  Object.assign(globalThis, { benchKeys: times });
  if (isNoting) return;
  document.addEventListener(
    'keydown',
    ({ timeStamp }) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        // The message arrives after the frame is painted.
        port2.onmessage = () => Reflect.get(globalThis, 'benchKeys').push(performance.now() - timeStamp);
        port1.postMessage('');
      }),
    true,
  );
}

/** The mean milliseconds of a frame while the wheel scrolls the conversation up (-1) or down (1). */
export async function scrollFrame(page: Page, frame: Frame, direction: 1 | -1): Promise<number> {
  await page.bringToFront();
  await frame.locator('[role="log"]').hover();
  await frame.evaluate(noteFrames);
  const end = performance.now() + SCROLL_TIME;
  while (performance.now() < end) await page.mouse.wheel(0, direction * WHEEL);
  const times = await frame.evaluate(readFrames);
  return ((times.at(-1) ?? 0) - (times[0] ?? 0)) / (times.length - 1);
}
