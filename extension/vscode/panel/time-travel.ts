import * as vscode from 'vscode';
import type { DisplayedSession } from '../../app/sessions/displayed-session.ts';
import { LogAt } from '../../core/view/log-at.ts';
import type { LogWindow } from '../../core/view/log-window.ts';
import { momentBeside, Timeline } from '../../core/view/timeline.ts';
import { say } from '../../protocol/say.ts';

const timelines = new WeakMap<LogWindow, Timeline>();

/** The timeline of a log, up to its newest event. */
export function timelineOf(log: LogWindow): Timeline {
  const timeline = timelines.get(log) ?? new Timeline();
  timelines.set(log, timeline);
  timeline.follow(log);
  return timeline;
}

/** The point in time that a panel shows: the current state, or an event of its session. */
export class TimeTravel implements vscode.Disposable {
  /** The panels of this window that show the past. */
  static readonly #traveling = new Set<TimeTravel>();
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

  /** Undefined if the panel shows the current state. */
  get past(): LogAt | undefined {
    return this.#past;
  }

  /** The log that the panel shows. */
  get log(): LogWindow | LogAt {
    return this.#past ?? this.#shown.log;
  }

  /** Shows the state after event `seq`. Throws if the session has no such event. */
  goTo(seq: number): void {
    const { log } = this.#shown;
    if (seq < 1 || seq > (log.events.at(-1)?.seq ?? 0))
      throw new Error(say('This session has no event {0}.', seq));
    this.#set(new LogAt(log, seq));
  }

  /** Moves to the previous or the next moment. After the last moment comes the current state. */
  step(direction: 1 | -1): void {
    const { log } = this.#shown;
    const seq = this.#past?.seq ?? (direction < 0 ? Number.POSITIVE_INFINITY : undefined);
    if (seq === undefined) return;
    const beside = momentBeside(log, seq, direction);
    if (beside !== undefined) this.goTo(beside);
    else if (direction > 0) this.leave();
  }

  /** Returns to the current state. */
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
    if (past) TimeTravel.#traveling.add(this);
    else TimeTravel.#traveling.delete(this);
    // package.json's menus and keys check this context.
    void vscode.commands.executeCommand('setContext', 'harness.inPast', TimeTravel.#traveling.size > 0);
    this.#moved.fire();
  }

  /**
   * Keeps the point in time if the same session was opened in another way, with another log. Otherwise leaves
   * the past.
   */
  #follow(): void {
    if (!this.#past) return;
    if (this.#session === this.#shown.id) this.#past = new LogAt(this.#shown.log, this.#past.seq);
    else this.leave();
  }
}
