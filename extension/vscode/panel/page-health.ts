import * as vscode from 'vscode';

/** What is watched. */
export interface WatchedPage {
  /** The page answers this at once. Resolves when VS Code has passed it on to the page; rejects where there is none. */
  ping(): PromiseLike<unknown>;
  /** It has died; `attempt` counts from 1 until it is heard again. */
  rebuild(attempt: number): void;
  isVisible(): boolean;
}

/** Milliseconds for which a page that was heard is not asked. */
const ALIVE = 200;
/** Milliseconds within which a page must answer, at least and at most; in between, so many times its slowest answer. */
const LEAST_PATIENCE = 200;
const MOST_PATIENCE = 3_000;
const SLOWNESS = 8;
/** Milliseconds that count as the slowest answer of a page of which nothing is known, and what remains with each quicker one. */
const UNKNOWN = 125;
const FORGETTING = 0.7;
/** A page that was busy with the first question may answer the next. */
const QUESTIONS = 2;
/** Milliseconds within which a new page must be heard, and VS Code pass on a question. */
const LOADING_PATIENCE = 20_000;
/** What the first answer of a page takes longer than its next ones: it is busy with itself. */
const SETTLING = 8;
const ATTEMPTS = 3;

/**
 * Notices that a page has died, which VS Code tells nobody. It asks only after something was sent or somebody has looked,
 * so that nothing ticks while nothing happens. Time counts from when a question has reached the page: neither a busy
 * window nor a slow connection is a dead page.
 */
export class PageHealth {
  readonly #page: WatchedPage;
  #heardAt = Number.NEGATIVE_INFINITY;
  /** Since when an answer is waited for; undefined where none is. */
  #askedAt: number | undefined;
  /** Milliseconds. */
  #slowest = UNKNOWN;
  /** It has not answered any question yet: it may have said that it stands, and still be drawing. */
  #isNew = true;
  #attempt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Changes with whatever makes the last question pointless. */
  #round = 0;

  constructor(page: WatchedPage) {
    this.#page = page;
  }

  /** VS Code makes a new page, which says something as soon as it stands. */
  expect(): void {
    this.rest();
    this.#isNew = true;
    this.#wait(LOADING_PATIENCE, () => this.#bury());
  }

  /** Something was sent to the page, or somebody may look at it. */
  check(): void {
    if (this.#timer !== undefined || !this.#page.isVisible()) return;
    const silence = performance.now() - this.#heardAt;
    if (silence >= ALIVE) void this.#ask(1);
    else this.#wait(ALIVE - silence, () => void this.#ask(1));
  }

  /** Whatever the page says, it lives. */
  heard(): void {
    const now = performance.now();
    if (this.#askedAt !== undefined) this.#learn(now - this.#askedAt);
    this.#heardAt = now;
    this.#attempt = 0;
    this.rest();
  }

  /** Waits for nothing any more. */
  rest(): void {
    this.#round += 1;
    this.#askedAt = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #ask(question: number): Promise<void> {
    const round = this.#round;
    this.#wait(LOADING_PATIENCE, () => this.#bury());
    // Of a page that is gone nobody passes it on, and it does not answer.
    await this.#page.ping().then(undefined, () => undefined);
    if (round !== this.#round) return;
    this.#askedAt ??= performance.now();
    this.#wait(this.#patience, () => {
      if (question < QUESTIONS) void this.#ask(question + 1);
      else this.#bury();
    });
  }

  #bury(): void {
    this.rest();
    if (!this.#page.isVisible() || this.#attempt >= ATTEMPTS) return;
    this.#attempt += 1;
    this.expect();
    this.#page.rebuild(this.#attempt);
  }

  get #patience(): number {
    if (this.#isNew) return MOST_PATIENCE;
    return Math.min(MOST_PATIENCE, Math.max(LEAST_PATIENCE, this.#slowest * SLOWNESS));
  }

  #learn(milliseconds: number): void {
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
 * Calls `listener` when the user is seen to do something in this window: comes back to it, goes to another editor or
 * terminal, clicks into a text. VS Code tells the extension host of these anyway, and of nothing while nobody is there.
 * It tells of no click into a webview; keys are too many, and documents do not only change by people.
 */
export function onUserActivity(listener: () => void): vscode.Disposable {
  const { window, TextEditorSelectionChangeKind } = vscode;
  return vscode.Disposable.from(
    // VS Code also tells when nobody has done anything for a while.
    window.onDidChangeWindowState(({ focused, active }) => focused && active && listener()),
    window.onDidChangeActiveTextEditor(listener),
    window.onDidChangeActiveTerminal(listener),
    window.onDidChangeTextEditorSelection(
      ({ kind }) => kind === TextEditorSelectionChangeKind.Mouse && listener(),
    ),
  );
}
