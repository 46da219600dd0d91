// Turns the frames of a machine under load into an even animation. Each act takes its given time, and waiting
// for the machine takes almost none of it.

const longestGap = 150;
/** Browsers slow down shorter frames. */
const shortestDelay = 50;

/** @typedef {{ png: Buffer, delay: number }} PacedFrame shown for `delay` milliseconds */

/** @param {import('./record.mjs').Act} act @returns {PacedFrame[]} whose delays add up to the act's length */
export function pace({ frames, milliseconds }) {
  const gaps = frames.map(({ time }, index) =>
    Math.min(longestGap, (frames[index + 1]?.time ?? time + longestGap) - time),
  );
  const scale = milliseconds / gaps.reduce((sum, gap) => sum + gap, 0);
  /** @type {PacedFrame[]} */
  const paced = [];
  let open = 0;
  for (const [index, { png }] of frames.entries()) {
    open += (gaps[index] ?? 0) * scale;
    if (open < shortestDelay && index < frames.length - 1) continue;
    paced.push({ png, delay: open });
    open = 0;
  }
  return paced;
}
