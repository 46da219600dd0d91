import type * as vscode from 'vscode';
import { completes, joinDeltas, LiveDeltas, newestOutput } from '../../core/log/live-deltas.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import type { Delta, SessionEvent } from '../../protocol/events.ts';
import type { Head } from '../../protocol/head.ts';
import { type HostMessage, type WebviewMessage, webviewMessage } from '../../protocol/messages.ts';

/** What holds a page: a view in the side bar, or a tab. */
export interface PanelHolder {
  readonly webview: vscode.Webview;
  readonly visible: boolean;
}

/** One message a frame: each crossing is dear, in remote windows most. */
const FRAME_MS = 16;
/** Characters that commands have printed within a frame, the newest: a flood is not for reading. */
const FRAME_OUTPUT = 64_000;

/**
 * The messages of one panel. Updates are gathered for a frame; while the panel is hidden they are dropped, since VS Code
 * would drop them too: the panel asks for what it missed when it is shown again.
 */
export class PanelChannel implements vscode.Disposable {
  readonly #view: PanelHolder;
  readonly #log: () => LogWindow;
  readonly #onMessage: (message: WebviewMessage) => void;
  readonly #warn: (message: string) => void;
  readonly #listening: vscode.Disposable;
  #events: SessionEvent[] = [];
  #deltas: Delta[] = [];
  /** What the page shows growing. */
  readonly #shown = new LiveDeltas();
  /** As the page knows it. */
  #head: Head | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `log` is the session that the page shows. */
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
    if (message.type === 'snapshot') this.#head = message.head;
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
