import * as vscode from 'vscode';

/** Milliseconds for which writes are collected, because each write is a message to the window. */
const GATHER_MS = 50;
/**
 * Characters that wait for the terminal. Of a flood, only the last ones are shown, because a user cannot read
 * more.
 */
const MAX_WAITING = 64 * 1024;

/** The screen of a terminal whose only input is Ctrl+C. */
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

  /** VS Code drops everything written before it calls this. */
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

  /** `text` must be filtered, and its lines must end with CR LF. */
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

  /** Cuts at the start of a line, so that no color sequence is split. */
  #omit(): void {
    const from = this.#waiting.indexOf('\n', this.#waiting.length - MAX_WAITING) + 1;
    const kept = from > 0 ? this.#waiting.slice(from) : '';
    this.#omitted += this.#waiting.length - kept.length;
    this.#waiting = kept;
  }
}
