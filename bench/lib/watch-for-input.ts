/** Milliseconds since the epoch, with fractions. */
export interface Marks {
  /** The press of the mouse button. */
  clicked?: number;
  /** A text area is visible, focused and editable. */
  usable?: number;
}

/** Runs in every frame before its scripts, and stores its marks in `benchMarks`. */
export function watchForInput(): void {
  const POLL_MS = 2;
  const marks: Marks = {};
  Object.assign(globalThis, { benchMarks: marks });
  const now = () => performance.timeOrigin + performance.now();
  const isUsable = () => {
    const input = document.querySelector('textarea');
    // VS Code hides a webview's frame until its page is loaded.
    const frame = window.frameElement;
    if (!input || input.disabled || input.readOnly || !frame) return false;
    if (getComputedStyle(frame).visibility !== 'visible' || !input.checkVisibility()) return false;
    input.focus();
    return document.activeElement === input;
  };
  addEventListener('mousedown', () => (marks.clicked ??= now()), true);
  // The workbench has its own text areas.
  if (window === window.top) return;
  // VS Code writes a webview's page into an existing document, which drops the old page's frame requests.
  const timer = setInterval(() => {
    if (!isUsable()) return;
    marks.usable = now();
    clearInterval(timer);
  }, POLL_MS);
}
