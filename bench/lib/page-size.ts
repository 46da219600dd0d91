// Measures the nodes and the memory of a panel's page.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Frame, Page } from 'playwright-core';
import { countNodes } from './count-nodes.ts';

const PAGE_UPS = 40;
/** Milliseconds in which a page comes to rest. */
const REST = 400;

/** The nodes of the page after each of these steps. */
type NodeCounts = Readonly<Record<'opened' | 'middle' | 'top' | 'paged', number>>;

export async function countWhileReading(page: Page, frame: Frame): Promise<NodeCounts> {
  const opened = await frame.evaluate(countNodes);
  const middle = await countAt(frame, 0.5);
  const top = await countAt(frame, 0);
  await countAt(frame, 1);
  await frame.locator('textarea[aria-label="Ask Harness"]').focus();
  for (let press = 0; press < PAGE_UPS; press += 1) {
    await page.keyboard.press('PageUp');
    await sleep(50);
  }
  await sleep(REST);
  return { opened, middle, top, paged: await frame.evaluate(countNodes) };
}

/** @param place 0 is the beginning of the session, 1 its end */
async function countAt(frame: Frame, place: number): Promise<number> {
  await frame.evaluate((share) => {
    const log = document.querySelector('[role="log"]');
    if (log) log.scrollTop = share * log.scrollHeight;
  }, place);
  await sleep(REST);
  return frame.evaluate(countNodes);
}

/**
 * Megabytes of the window's JavaScript heap in use. The server's webviews have its own origin, so their pages
 * share the heap of the workbench. The panel's share is the growth since before it was opened.
 */
export async function heapInUse(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.enable');
  // Only the next collection frees what a finalizer releases.
  for (let time = 0; time < 3; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / 1e6;
}
