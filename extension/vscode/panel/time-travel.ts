import * as vscode from 'vscode';
import type { DisplayedSession } from '../../app/sessions/displayed-session.ts';
import { LogAt } from '../../core/view/log-at.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import { momentBeside, Timeline } from '../../core/view/timeline.ts';
import { say } from '../../protocol/say.ts';

const timelines = new WeakMap<LogWindow, Timeline>();

/** The timeline of a log, as far as that has come. */
export function timelineOf(log: LogWindow): Timeline {
  const timeline = timelines.get(log) ?? new Timeline();
  timelines.set(log, timeline);
  timeline.follow(log);
  return timeline;
}

/** Where in time a panel stands: now, or at an event of the session that it shows. */
export class TimeTravel implements vscode.Disposable {
  /** Of all panels of this window. */
  static readonly #travelling = new Set<TimeTravel>();
  readonly #shown: Pick<DisplayedSession, 'id' | 'log' | 'onDidChange'>;
  readonly #moved = new vscode.EventEmitter<void>();
  readonly onDidMove = this.#moved.event;
  readonly #listening: vscode.Disposable;
  #session = '';
  #past: LogAt | undefined;

  constructor(shown: Pick<DisplayedSession, 'id' | 'log' | 'onDidChange'>) {
    this.#shown = shown;
    this.#listening = shown.onDidChange(() => this.#follow());
  }

  /** Undefined for now. */
  get past(): LogAt | undefined {
    return this.#past;
  }

  /** What the panel shows. */
  get log(): LogWindow | LogAt {
    return this.#past ?? this.#shown.log;
  }

  /** Throws where the session has no such event. */
  goTo(seq: number): void {
    const { log } = this.#shown;
    if (seq < 1 || seq > (log.events.at(-1)?.seq ?? 0))
      throw new Error(say('There is no event {0} in this session.', seq));
    this.#set(new LogAt(log, seq));
  }

  /** To the moment before or after; after the last one is now. */
  step(direction: 1 | -1): void {
    const { log } = this.#shown;
    const seq = this.#past?.seq ?? (direction < 0 ? Number.POSITIVE_INFINITY : undefined);
    if (seq === undefined) return;
    const beside = momentBeside(log, seq, direction);
    if (beside !== undefined) this.goTo(beside);
    else if (direction > 0) this.leave();
  }

  /** Back to now. */
  leave(): void {
    if (this.#past) this.#set(undefined);
  }

  dispose(): void {
    this.#listening.dispose();
    this.leave();
    this.#moved.dispose();
  }

  #set(past: LogAt | undefined): void {
    this.#past = past;
    this.#session = this.#shown.id;
    if (past) TimeTravel.#travelling.add(this);
    else TimeTravel.#travelling.delete(this);
    // What package.json's menus and keys wait for.
    void vscode.commands.executeCommand('setContext', 'harness.inPast', TimeTravel.#travelling.size > 0);
    this.#moved.fire();
  }

  /** The same session may have been opened in another way, with a log of its own. */
  #follow(): void {
    if (!this.#past) return;
    if (this.#session === this.#shown.id) this.#past = new LogAt(this.#shown.log, this.#past.seq);
    else this.leave();
  }
}
