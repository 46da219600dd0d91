/** Milliseconds since the epoch, with fractions. */
export interface EndMarks {
  /** The last press of the mouse button. */
  acted?: number;
  /** The last painted words, and their time. */
  words?: string;
  painted?: number;
}

/** Runs in every frame before its scripts, and stores its marks in `benchEnd`. */
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

  /** The last words of the session whose end is visible. */
  const wordsInSight = () => {
    const last = [...document.querySelectorAll('[role="log"] [data-part]')].at(-1);
    const frame = window.frameElement;
    // VS Code hides a webview's frame until its page is loaded.
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
      // The message arrives after the frame is painted.
      port2.onmessage = () => Object.assign(marks, { words, painted: now() });
      port1.postMessage('');
    });
  }, POLL_MS);
}
