import type { Frame } from 'playwright-core';

/** The words in sight that have less contrast to their ground than WCAG's 4.5, each kind of element once. */
export function hardToRead(frame: Frame): Promise<string[]> {
  return frame.evaluate(measure);
}

/** Runs in the page. */
function measure(): string[] {
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('There is no canvas.');
  const luminance = (layers: readonly string[]) => {
    for (const layer of ['white', ...layers]) {
      context.fillStyle = layer;
      context.fillRect(0, 0, 1, 1);
    }
    const [red = 0, green = 0, blue = 0] = Array.from(
      context.getImageData(0, 0, 1, 1).data.slice(0, 3),
      (part) => (part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4),
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const groundsOf = (element: Element | null): string[] =>
    element ? [...groundsOf(element.parentElement), getComputedStyle(element).backgroundColor] : [];
  const contrastOf = (element: Element) => {
    const grounds = groundsOf(element);
    const pair = [luminance(grounds), luminance([...grounds, getComputedStyle(element).color])];
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
  };
  const found = new Map<string, string>();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const words = walker.currentNode.textContent?.trim() ?? '';
    if (
      !words ||
      !element?.checkVisibility() ||
      element.closest('.visually-hidden, script, option, :disabled')
    )
      continue;
    const contrast = contrastOf(element);
    const name = `${element.tagName} ${element.className}`;
    if (contrast < 4.5) found.set(name, `${name} “${words.slice(0, 20)}”: ${contrast.toFixed(2)}`);
  }
  return [...found.values()];
}
