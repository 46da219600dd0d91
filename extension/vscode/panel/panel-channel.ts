import type * as vscode from 'vscode';
import { completes, joinDeltas, LiveDeltas, newestOutput } from '../../core/log/live-deltas.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import type { Delta } from '../../protocol/delta.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { Head } from '../../protocol/head.ts';
import { type HostMessage, type WebviewMessage, webviewMessage } from '../../protocol/messages.ts';

/** What shows a page: a view in the side bar, or a tab. */
export interface PanelHolder {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
}

/** Milliseconds. One message per frame, because each message is expensive, most of all in remote windows. */
const FRAME_MS = 16;
/** Characters of command output per frame. Only the newest are sent, because a user cannot read more. */
const FRAME_OUTPUT = 64_000;

/**
 * Exchanges the messages of one panel. Collects updates for a frame. Drops them while the panel is hidden, as
 * VS Code would. The panel asks for what it missed when it is shown again.
 */
export class PanelChannel implements vscode.Disposable {
  readonly #view: PanelHolder;
  readonly #log: () => LogWindow;
  readonly #onMessage: (message: WebviewMessage) => void;
  readonly #warn: (message: string) => void;
  readonly #listening: vscode.Disposable;
  #events: SessionEvent[] = [];
  #deltas: Delta[] = [];
  /** The growing blocks that the page shows. */
  readonly #shown = new LiveDeltas();
  /** The head that the page has. */
  #head: Head | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `log` returns the log that the page shows. */
  constructor(
    view: PanelHolder,
    log: () => LogWindow,
    onMessage: (message: WebviewMessage) => void,
    warn: (message: string) => void,
  ) {
    this.#view = view;
    this.#log = log;
    this.#onMessage = onMessage;
    this.#warn = warn;
    this.#listening = view.webview.onDidReceiveMessage((message: unknown) => this.receive(message));
  }

  /** Handles a message of the page. Drops and logs a message that does not parse. */
  receive(value: unknown): void {
    const parsed = webviewMessage.safeParse(value);
    if (parsed.success) this.#onMessage(parsed.data);
    else
      this.#warn(
        `A message of the panel was dropped: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}`,
      );
  }

  /** Sends at once, after the collected updates. */
  send(message: HostMessage): void {
    this.#flush();
    if (message.type === 'snapshot') this.#head = message.head;
    void this.#view.webview.postMessage(message);
  }

  events(events: readonly SessionEvent[]): void {
    if (!this.#view.visible) return;
    // Drops the deltas of blocks that began and ended within one frame. If the page shows growing blocks, it
    // must get the rest of them, or it would lay out the whole block again.
    if (this.#shown.deltas.length === 0) {
      this.#deltas = this.#deltas.filter((delta) => !events.some((event) => completes(event, delta)));
    }
    // The page applies the events of a message before the deltas, so the collected deltas must go first.
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
    this.#deltas = newestOutput(this.#deltas, FRAME_OUTPUT);
    for (const delta of this.#deltas) this.#shown.onDelta(delta);
    void this.#view.webview.postMessage(this.#update());
    this.#events = [];
    this.#deltas = [];
  }

  #update(): HostMessage {
    const log = this.#log();
    const update = {
      type: 'update',
      events: this.#events,
      deltas: this.#deltas,
      starts: log.startsAmong(this.#events),
    } as const;
    if (log.head === this.#head) return update;
    this.#head = log.head;
    return { ...update, head: log.head };
  }
}
