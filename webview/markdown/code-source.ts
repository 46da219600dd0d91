// What a block of code says as a whole: the page holds only the lines that are near.

const sources = new WeakMap<Element, () => string>();

export function rememberSource(figure: Element, source: () => string): void {
  sources.set(figure, source);
}

/** The code of a `figure.code`. */
export function sourceOf(figure: Element): string {
  return sources.get(figure)?.() ?? figure.querySelector('code')?.textContent ?? '';
}
