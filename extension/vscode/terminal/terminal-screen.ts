import * as vscode from 'vscode';

/** Each write crosses to the window, so they are gathered. */
const GATHER_MS = 50;
/** Characters that wait to be shown; of a flood the last of them, which is as much as a person can follow. */
const MAX_WAITING = 64 * 1024;

/** The surface of a terminal in which nothing can be typed but Ctrl+C. */
export class TerminalScreen implements vscode.Pseudoterminal {
  readonly #written = new vscode.EventEmitter<string>();
  readonly onDidWrite = this.#written.event;
  readonly #onInterrupt: () => void;
  readonly #onClose: () => void;
  #isOpen = false;
  #waiting = '';
  #omitted = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(onInterrupt: () => void, onClose: () => void) {
    this.#onInterrupt = onInterrupt;
    this.#onClose = onClose;
  }

  /** VS Code loses what is written before it has called this. */
  open(): void {
    this.#isOpen = true;
    this.#flush();
  }

  close(): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#onClose();
  }

  handleInput(data: string): void {
    if (data.includes('\x03')) this.#onInterrupt();
  }

  /** `text` has been filtered and ends its lines with CR LF. */
  write(text: string): void {
    this.#waiting += text;
    if (this.#waiting.length > 2 * MAX_WAITING) this.#omit();
    if (this.#isOpen) this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#waiting.length > MAX_WAITING) this.#omit();
    const notice =
      this.#omitted > 0
        ? `\x1b[0m\r\n${vscode.l10n.t('… ({0} characters not shown)', this.#omitted)}\r\n`
        : '';
    const text = notice + this.#waiting;
    this.#waiting = '';
    this.#omitted = 0;
    if (text !== '') this.#written.fire(text);
  }

  /** From a line's start, so that no colour sequence is cut in two. */
  #omit(): void {
    const from = this.#waiting.indexOf('\n', this.#waiting.length - MAX_WAITING) + 1;
    const kept = from > 0 ? this.#waiting.slice(from) : '';
    this.#omitted += this.#waiting.length - kept.length;
    this.#waiting = kept;
  }
}
