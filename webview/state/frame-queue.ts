// Processes everything that arrives once per frame, so that the page never lays out more often than it draws.

export interface FrameQueue<Item> {
  push(item: Item): void;
  dispose(): void;
}

/** Requests a call before the next frame. Call the result to cancel. */
export type RequestFrame = (callback: () => void) => () => void;

export function createFrameQueue<Item>(
  drain: (items: Item[]) => void,
  requestFrame: RequestFrame,
): FrameQueue<Item> {
  let items: Item[] = [];
  let cancel: (() => void) | undefined;

  const run = () => {
    const arrived = items;
    items = [];
    cancel = undefined;
    drain(arrived);
  };
  return {
    push(item) {
      items.push(item);
      cancel ??= requestFrame(run);
    },
    dispose() {
      cancel?.();
      items = [];
    },
  };
}

/** A hidden page draws no frames, so it uses a timer. */
export const requestPageFrame: RequestFrame = (callback) => {
  if (document.hidden) {
    const timer = setTimeout(callback, 100);
    return () => clearTimeout(timer);
  }
  const frame = requestAnimationFrame(callback);
  return () => cancelAnimationFrame(frame);
};
