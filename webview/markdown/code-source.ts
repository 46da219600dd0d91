// Stores the whole source of each code block, because the page contains only the lines near the viewport.

const sources = new WeakMap<Element, () => string>();

export function rememberSource(figure: Element, source: () => string): void {
  sources.set(figure, source);
}

/** The source of a `figure.code`. */
export function sourceOf(figure: Element): string {
  return sources.get(figure)?.() ?? figure.querySelector('code')?.textContent ?? '';
}
