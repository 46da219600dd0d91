// Records a page during an action, as pictures with their times.
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two frames, so that a busy machine has time for the recorded action. */
const frameMilliseconds = 100;

/** Milliseconds until the current content has been drawn and sent. */
const settleMilliseconds = 700;

/** @typedef {{ png: Buffer, time: number }} Frame `time` in milliseconds */
/** @typedef {{ frames: Frame[], milliseconds: number }} Act the frames of an action, and its length in the animation */
/** @typedef {(milliseconds: number, play: () => Promise<unknown>) => Promise<void>} Film */

/**
 * @param {import('playwright-core').Page} page
 * @param {(film: Film) => Promise<void>} play calls `film` for each act; only acts are recorded
 * @returns {Promise<Act[]>}
 */
export async function record(page, play) {
  /** @type {Frame[]} */
  const frames = [];
  let isOn = true;
  const session = await page.context().newCDPSession(page);
  session.on('Page.screencastFrame', async ({ data, metadata, sessionId }) => {
    frames.push({ png: Buffer.from(data, 'base64'), time: (metadata.timestamp ?? 0) * 1000 });
    await delay(frameMilliseconds);
    if (isOn) await session.send('Page.screencastFrameAck', { sessionId });
  });
  await session.send('Page.startScreencast', { format: 'png' });
  /** @type {Act[]} */
  const acts = [];
  await play(async (milliseconds, action) => {
    frames.splice(0);
    await action();
    await delay(settleMilliseconds);
    acts.push({ frames: frames.splice(0), milliseconds });
  });
  isOn = false;
  await session.send('Page.stopScreencast');
  return acts;
}
