/** Milliseconds since the epoch, with their fraction. */
export interface EndMarks {
  /** The mouse went down for the last time. */
  acted?: number;
  /** The last words that were painted, and when. */
  words?: string;
  painted?: number;
}

/** Runs in every frame before its own scripts, and leaves its marks in `benchEnd`. */
export function watchForEnd(): void {
  const POLL_MS = 4;
  const marks: EndMarks = {};
  Object.assign(globalThis, { benchEnd: marks });
  const now = () => performance.timeOrigin + performance.now();
  const note = () => {
    marks.acted = now();
  };
  addEventListener('mousedown', note, true);
  if (window === window.top) return;

  /** Of the session whose end is in sight. */
  const wordsInSight = () => {
    const last = [...document.querySelectorAll('[role="log"] [data-part]')].at(-1);
    const frame = window.frameElement;
    // Until its page is loaded, VS Code hides a webview's frame.
    if (!last || !frame || getComputedStyle(frame).visibility !== 'visible') return undefined;
    const { bottom } = last.getBoundingClientRect();
    return bottom <= innerHeight ? /These are the last words of .*/.exec(last.textContent)?.[0] : undefined;
  };
  let seen = '';
  setInterval(() => {
    const words = wordsInSight();
    if (words === undefined || words === seen) return;
    seen = words;
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      // It is heard when the frame has been painted.
      port2.onmessage = () => Object.assign(marks, { words, painted: now() });
      port1.postMessage('');
    });
  }, POLL_MS);
}
