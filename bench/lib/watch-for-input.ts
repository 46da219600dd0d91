/** Milliseconds since the epoch, with their fraction. */
export interface Marks {
  /** The mouse went down. */
  clicked?: number;
  /** A text area can be seen, has the focus and can be typed in. */
  usable?: number;
}

/** Runs in every frame before its own scripts, and leaves its marks in `benchMarks`. */
export function watchForInput(): void {
  const POLL_MS = 2;
  const marks: Marks = {};
  Object.assign(globalThis, { benchMarks: marks });
  const now = () => performance.timeOrigin + performance.now();
  const isUsable = () => {
    const input = document.querySelector('textarea');
    // Until its page is loaded, VS Code hides a webview's frame.
    const frame = window.frameElement;
    if (!input || input.disabled || input.readOnly || !frame) return false;
    if (getComputedStyle(frame).visibility !== 'visible' || !input.checkVisibility()) return false;
    input.focus();
    return document.activeElement === input;
  };
  addEventListener('mousedown', () => (marks.clicked ??= now()), true);
  // The workbench has text areas of its own.
  if (window === window.top) return;
  // VS Code writes a webview's page into a document that is there, and with the old page go its requests for frames.
  const timer = setInterval(() => {
    if (!isUsable()) return;
    marks.usable = now();
    clearInterval(timer);
  }, POLL_MS);
}
