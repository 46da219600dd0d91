import * as vscode from 'vscode';

/** The page that `PageHealth` watches. */
export interface WatchedPage {
  /** Asks the page to answer at once. Resolves when VS Code has delivered that; rejects without a page. */
  ping(): PromiseLike<unknown>;
  /** The page has crashed. `attempt` counts from 1, and starts over when the page posts a message. */
  rebuild(attempt: number): void;
  isVisible(): boolean;
}

/** Milliseconds after a message of the page in which Harness does not ping it. */
const ALIVE = 200;
/** A page must answer within `SLOWNESS` times its slowest answer, and within these bounds in milliseconds. */
const LEAST_PATIENCE = 200;
const MOST_PATIENCE = 3_000;
const SLOWNESS = 8;
/**
 * `UNKNOWN` is the assumed slowest answer of an unknown page, in milliseconds. Each answer multiplies the
 * slowest one by `FORGETTING`, unless it is slower than that.
 */
const UNKNOWN = 125;
const FORGETTING = 0.7;
/** Pings before a page counts as crashed. A page that was busy at the first ping may answer the next. */
const QUESTIONS = 2;
/** Milliseconds within which a new page must post a message, and VS Code must deliver a ping. */
const LOADING_PATIENCE = 20_000;
/** How many times longer the first answer of a page takes, because the page is still drawing. */
const SETTLING = 8;
const ATTEMPTS = 3;

/**
 * Detects a crashed webview; VS Code does not report one. Pings only after a message was sent or the user
 * interacted, so an idle panel runs no timer. Measures from the delivery of a ping, so neither a busy window
 * nor a slow connection counts as a crash.
 */
export class PageHealth {
  readonly #page: WatchedPage;
  #lastMessageAt = Number.NEGATIVE_INFINITY;
  /** When the unanswered ping was delivered. Undefined if there is none. */
  #askedAt: number | undefined;
  /** The slowest recent answer, in milliseconds. */
  #slowest = UNKNOWN;
  /** The page has not answered a ping yet. It may have posted a message and still be drawing. */
  #isNew = true;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes with everything that makes the last ping obsolete. */
  #round = 0;

  constructor(page: WatchedPage) {
    this.#page = page;
  }

  /** Call when VS Code makes a new page. The page must post a message when it has started. */
  expect(): void {
    this.stop();
    this.#isNew = true;
    this.#wait(LOADING_PATIENCE, () => this.#replace());
  }

  /** Call when a message was sent to the page, or when the user may look at it. */
  check(): void {
    if (this.#timer !== undefined || !this.#page.isVisible()) return;
    const silence = performance.now() - this.#lastMessageAt;
    if (silence >= ALIVE) void this.#ask(1);
    else this.#wait(ALIVE - silence, () => void this.#ask(1));
  }

  /** Call for each message of the page: each proves that the page runs. */
  noteMessage(): void {
    const now = performance.now();
    if (this.#askedAt !== undefined) this.#recordAnswer(now - this.#askedAt);
    this.#lastMessageAt = now;
    this.#attempt = 0;
    this.stop();
  }

  /** Stops waiting for the page. */
  stop(): void {
    this.#round += 1;
    this.#askedAt = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #ask(question: number): Promise<void> {
    const round = this.#round;
    this.#wait(LOADING_PATIENCE, () => this.#replace());
    // A crashed page gets no ping and sends no answer. The timeout handles both.
    await this.#page.ping().then(undefined, () => undefined);
    if (round !== this.#round) return;
    this.#askedAt ??= performance.now();
    this.#wait(this.#patience, () => {
      if (question < QUESTIONS) void this.#ask(question + 1);
      else this.#replace();
    });
  }

  #replace(): void {
    this.stop();
    if (!this.#page.isVisible() || this.#attempt >= ATTEMPTS) return;
    this.#attempt += 1;
    this.expect();
    this.#page.rebuild(this.#attempt);
  }

  get #patience(): number {
    if (this.#isNew) return MOST_PATIENCE;
    return Math.min(MOST_PATIENCE, Math.max(LEAST_PATIENCE, this.#slowest * SLOWNESS));
  }

  #recordAnswer(milliseconds: number): void {
    const taken = this.#isNew ? milliseconds / SETTLING : milliseconds;
    this.#isNew = false;
    this.#slowest = Math.max(taken, this.#slowest * FORGETTING);
  }

  #wait(milliseconds: number, act: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      act();
    }, milliseconds);
  }
}

/**
 * Calls `listener` when the user acts in this window: returns to it, switches to another editor or terminal,
 * or clicks into a text. VS Code sends the extension host these events anyway, and none while the user is
 * away. It reports no clicks into a webview. Harness ignores keys, which are too many, and document changes,
 * which people do not always make.
 */
export function onUserActivity(listener: () => void): vscode.Disposable {
  const { window, TextEditorSelectionChangeKind } = vscode;
  return vscode.Disposable.from(
    // VS Code also fires this when the user has been inactive for a while.
    window.onDidChangeWindowState(({ focused, active }) => focused && active && listener()),
    window.onDidChangeActiveTextEditor(listener),
    window.onDidChangeActiveTerminal(listener),
    window.onDidChangeTextEditorSelection(
      ({ kind }) => kind === TextEditorSelectionChangeKind.Mouse && listener(),
    ),
  );
}
