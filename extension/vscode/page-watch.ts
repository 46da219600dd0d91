/** What is watched. */
export interface WatchedPage {
  /** The page answers this at once. */
  ping(): void;
  /** It has died; `attempt` counts from 1 until it is heard again. */
  rebuild(attempt: number): void;
  isVisible(): boolean;
}

/** Milliseconds for which a page that was heard is not asked. */
const ALIVE = 1_000;
/** Milliseconds after which a silent page counts as dead, and within which a rebuilt one must be heard. */
const PATIENCE = 3_000;
const REBUILD_PATIENCE = 10_000;
const ATTEMPTS = 3;

/**
 * Notices that a page has died, which VS Code tells nobody. It asks only after something was sent, so that nothing ticks
 * while nothing happens.
 */
export class PageWatch {
  readonly #page: WatchedPage;
  #heardAt = Number.NEGATIVE_INFINITY;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(page: WatchedPage) {
    this.#page = page;
  }

  /** Something was sent to the page, or should have been. */
  sent(): void {
    if (this.#timer !== undefined || !this.#page.isVisible()) return;
    const silence = performance.now() - this.#heardAt;
    if (silence >= ALIVE) this.#ask();
    else this.#timer = setTimeout(() => this.#ask(), ALIVE - silence);
  }

  /** Whatever the page says, it lives. */
  heard(): void {
    this.#heardAt = performance.now();
    this.#attempt = 0;
    this.dispose();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #ask(): void {
    this.#page.ping();
    this.#timer = setTimeout(() => this.#bury(), PATIENCE);
  }

  #bury(): void {
    this.#timer = undefined;
    if (!this.#page.isVisible() || this.#attempt >= ATTEMPTS) return;
    this.#attempt += 1;
    this.#page.rebuild(this.#attempt);
    this.#timer = setTimeout(() => this.#bury(), REBUILD_PATIENCE);
  }
}
