import type * as vscode from 'vscode';
import { completes, joinDeltas, LiveFold } from '../core/session/live-fold.ts';
import type { Delta, SessionEvent } from '../protocol/events.ts';
import { type HostMessage, type WebviewMessage, webviewMessage } from '../protocol/messages.ts';

/** One message a frame: each crossing is dear, in remote windows most. */
const FRAME_MS = 16;

/**
 * The messages of one panel. Updates are gathered for a frame; while the panel is hidden they are dropped, since VS Code
 * would drop them too: the panel asks for what it missed when it is shown again.
 */
export class PanelChannel implements vscode.Disposable {
  readonly #view: vscode.WebviewView;
  readonly #onMessage: (message: WebviewMessage) => void;
  readonly #warn: (message: string) => void;
  readonly #listening: vscode.Disposable;
  #events: SessionEvent[] = [];
  #deltas: Delta[] = [];
  /** What the page shows growing. */
  readonly #shown = new LiveFold();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    view: vscode.WebviewView,
    onMessage: (message: WebviewMessage) => void,
    warn: (message: string) => void,
  ) {
    this.#view = view;
    this.#onMessage = onMessage;
    this.#warn = warn;
    this.#listening = view.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
  }

  /** What came from the page; anything that is none of our messages is dropped and logged. */
  receive(value: unknown): void {
    const parsed = webviewMessage.safeParse(value);
    if (parsed.success) this.#onMessage(parsed.data);
    else
      this.#warn(
        `A message of the panel was dropped: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
      );
  }

  /** At once, after whatever is still gathered. */
  send(message: HostMessage): void {
    this.#flush();
    void this.#view.webview.postMessage(message);
  }

  events(events: readonly SessionEvent[]): void {
    if (!this.#view.visible) return;
    // What began and ended within a frame is not shown half. The rest of what the page shows already must reach it, or
    // it would lay out the whole block anew.
    if (this.#shown.deltas.length === 0) {
      this.#deltas = this.#deltas.filter((delta) => !events.some((event) => completes(event, delta)));
    }
    // Within one message events come before deltas, so what was gathered before must go first.
    if (this.#deltas.length > 0) this.#flush();
    this.#shown.onEvents(events);
    this.#events.push(...events);
    this.#schedule();
  }

  delta(delta: Delta): void {
    if (!this.#view.visible) return;
    const last = this.#deltas.at(-1);
    const joined = last && joinDeltas(last, delta);
    if (joined) this.#deltas[this.#deltas.length - 1] = joined;
    else this.#deltas.push(delta);
    this.#schedule();
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#listening.dispose();
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.#flush(), FRAME_MS);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#events.length === 0 && this.#deltas.length === 0) return;
    for (const delta of this.#deltas) this.#shown.onDelta(delta);
    const message: HostMessage = { type: 'update', events: this.#events, deltas: this.#deltas };
    this.#events = [];
    this.#deltas = [];
    void this.#view.webview.postMessage(message);
  }
}
