// Highlights the matches in the drawn text, and updates them after each redraw.
import { onCleanup } from 'solid-js';
import { rangesIn } from './drawn-text.ts';

/** Milliseconds, so that a growing text is not searched after each word. */
const REPAINT_DELAY = 100;

export interface Highlights {
  /** Highlights `content` until `stop`. `current` returns the match that the user went to. */
  start(content: Element, pattern: RegExp, current: () => StaticRange | undefined): void;
  /** Repaints immediately. */
  repaint(): void;
  stop(): void;
}

export function createHighlights(): Highlights {
  let paint = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const repaint = () => {
    clearTimeout(timer);
    timer = undefined;
    paint();
  };
  const observer = new MutationObserver(() => {
    timer ??= setTimeout(repaint, REPAINT_DELAY);
  });
  const stop = () => {
    observer.disconnect();
    clearTimeout(timer);
    timer = undefined;
    paint = () => {};
    CSS.highlights.delete('find');
    CSS.highlights.delete('find-current');
  };
  onCleanup(stop);
  return {
    start(content, pattern, current) {
      paint = () => paintIn(content, pattern, current());
      observer.observe(content, { childList: true, characterData: true, subtree: true });
      repaint();
    },
    repaint,
    stop,
  };
}

function paintIn(content: Element, pattern: RegExp, current: StaticRange | undefined): void {
  const ranges = [...content.querySelectorAll('.sections [data-part-id]')].flatMap((part) =>
    rangesIn(part, pattern),
  );
  CSS.highlights.set('find', new Highlight(...ranges));
  const gone = new Highlight(...(current ? [current] : []));
  gone.priority = 1;
  CSS.highlights.set('find-current', gone);
}
