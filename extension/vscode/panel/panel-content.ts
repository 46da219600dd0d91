import type * as vscode from 'vscode';
import type { DisplayedSession } from '../../app/sessions/displayed-session.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import { ConversationFind } from '../../app/view/conversation-find.ts';
import { snapshotOf, snapshotOfEnd } from '../../app/view/snapshot.ts';
import type { Translate } from '../../core/view/call-outcome.ts';
import { seekPrompt } from '../../core/view/log-window.ts';
import { ledgerOf } from '../../core/view/usage-ledger.ts';
import { createTimedSearch } from '../../node/search/timed-search.ts';
import type { Draft } from '../../protocol/draft-messages.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../../protocol/messages.ts';
import type { PageHealth } from './page-health.ts';
import type { PanelChannel, PanelHolder } from './panel-channel.ts';
import { PastPage } from './past-content.ts';
import type { TimeTravel } from './time-travel.ts';

/** What a page shows besides the session. */
export interface PageSources {
  readonly travel: TimeTravel;
  /** Reads the whole state each time. */
  state(): Promise<PanelState>;
  /** Reads the draft of a session. */
  draft(session: string): Promise<Draft>;
  warn(message: string): void;
}

export interface PageSessions extends Pick<SessionController, 'whole'> {
  readonly shown: Pick<DisplayedSession, 'id' | 'end' | 'log' | 'live' | 'subscribe' | 'onDidChange'>;
}

interface PageParts {
  readonly view: Pick<PanelHolder, 'visible'>;
  readonly channel: Pick<PanelChannel, 'send' | 'events' | 'delta'>;
  readonly sessions: PageSessions;
  readonly sources: PageSources;
  readonly watch: Pick<PageHealth, 'check'>;
  readonly translate: Translate;
}

/** Sends one page its session: the snapshot, updates, the past, and answers to the page's requests. */
export class PanelContent implements vscode.Disposable {
  readonly find: ConversationFind;
  readonly #parts: PageParts;
  readonly #past = new PastPage((message) => this.send(message));
  readonly #disposables: vscode.Disposable[];
  /** Counts the reads of the state. Of two reads, the one that began later wins. */
  #asked = 0;
  /** The read that began last among the finished ones. */
  #newest: { readonly asked: number; readonly state?: PanelState } = { asked: 0 };

  constructor(parts: PageParts) {
    this.#parts = parts;
    const { channel, sessions, sources, translate } = parts;
    this.find = new ConversationFind(
      () => sources.travel.log,
      (results) => this.send(results),
      translate,
      createTimedSearch,
    );
    this.#disposables = [
      {
        dispose: sessions.shown.subscribe({
          onEvents: (events) => this.#send(() => channel.events(events), true),
          onDelta: (delta) => this.#send(() => channel.delta(delta), false),
        }),
      },
      { dispose: () => this.find.stop() },
      sources.travel.onDidMove(() => this.#report(this.#showPast())),
      sessions.shown.onDidChange(() => {
        this.find.stop();
        this.#report(this.begin(0));
      }),
    ];
  }

  send(message: HostMessage): void {
    this.#parts.channel.send(message);
    this.#parts.watch.check();
  }

  /** Sends the state after a change outside the log: model, mode, key, trust. */
  async refresh(): Promise<void> {
    const newest = await this.#readState();
    this.#parts.channel.send({ type: 'state', state: newest() });
  }

  /** Sends a draft that was changed elsewhere. A hidden page gets it with its next snapshot. */
  async sendDraft(): Promise<void> {
    const { view, channel, sessions, sources } = this.#parts;
    const { id } = sessions.shown;
    const draft = await sources.draft(id);
    if (view.visible) channel.send({ type: 'draft', session: id, draft });
  }

  /** Sends everything that a page needs if it has the events up to `after`. */
  async begin(after: number): Promise<void> {
    const { channel, sessions, sources } = this.#parts;
    const newest = await this.#readState();
    const { id } = sessions.shown;
    // Reads the draft last. Harness reports a draft that it stores meanwhile at once, and an older draft must
    // not replace that.
    const draft = await sources.draft(id);
    const { end, log, live } = sessions.shown;
    const state = newest();
    channel.send(end ? snapshotOfEnd(end, state) : snapshotOf(log, state, after));
    channel.send({ type: 'draft', session: id, draft });
    if (end) this.#report(sessions.whole());
    else if (live.length > 0)
      channel.send({ type: 'update', events: [], deltas: [...live], starts: [], isPast: true });
    this.#past.forget();
    if (sources.travel.past) this.#report(this.#showPast());
  }

  /**
   * Sends a section in its current state, even if the panel shows the past: `past` brings what such a page
   * lacks. Sends a section without elided events synchronously. The page relies on that for the events that
   * follow.
   */
  async section({ session, index }: Extract<WebviewMessage, { type: 'section/get' }>): Promise<void> {
    const { end, log } = this.#parts.sessions.shown;
    const from = end ?? log;
    const section = from.section(index);
    const events = section.some(({ elided }) => elided) ? await from.whole(section) : section;
    this.#parts.channel.send({ type: 'section', session, index, events: [...events] });
  }

  cost(session: string): void {
    this.send({ type: 'cost', session, ledger: ledgerOf(this.#parts.sources.travel.log.events) });
  }

  seekPrompt({ session, section, direction }: Extract<WebviewMessage, { type: 'prompt/seek' }>): void {
    const place = seekPrompt(this.#parts.sources.travel.log, section, direction);
    this.send({ type: 'prompt/found', session, direction, ...(place && { place }) });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  /** Withholds new events from the page while the panel shows the past. */
  #send(send: () => void, hasGrown: boolean): void {
    const { sources, watch } = this.#parts;
    if (sources.travel.past) return;
    send();
    if (hasGrown) this.find.advance();
    watch.check();
  }

  #showPast(): Promise<void> {
    const { sessions, sources } = this.#parts;
    const { id, log } = sessions.shown;
    this.find.stop();
    return this.#past.show(id, log, sources.travel);
  }

  /**
   * Resolves with a function that returns the newest state. Call it just before sending, because a later read
   * may have finished meanwhile.
   */
  async #readState(): Promise<() => PanelState> {
    this.#asked += 1;
    const asked = this.#asked;
    const state = await this.#parts.sources.state();
    if (asked > this.#newest.asked) this.#newest = { asked, state };
    return () => this.#newest.state ?? state;
  }

  /** Logs the failure of work that no caller awaits. */
  #report(work: Promise<void>): void {
    work.catch((error: unknown) => this.#parts.sources.warn(`The panel is not up to date: ${String(error)}`));
  }
}
