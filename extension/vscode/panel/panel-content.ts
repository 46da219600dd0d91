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

/** What a page is told, besides the session. */
export interface PageSources {
  readonly travel: TimeTravel;
  /** Whole each time. */
  state(): Promise<PanelState>;
  /** What stands in the input of a session. */
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

/** What one page is shown of its panel's session: how it begins, how it goes on, how it was, and what the page asks of it. */
export class PanelContent implements vscode.Disposable {
  readonly find: ConversationFind;
  readonly #parts: PageParts;
  readonly #past = new PastPage((message) => this.send(message));
  readonly #disposables: vscode.Disposable[];
  /** Counts the states that were asked for: of two, the one that was asked for later is shown. */
  #asked = 0;
  /** Of those that were read. */
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
          onEvents: (events) => this.#goOn(() => channel.events(events), true),
          onDelta: (delta) => this.#goOn(() => channel.delta(delta), false),
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

  /** Something beside the log has changed: model, mode, key, trust. */
  async refresh(): Promise<void> {
    const newest = await this.#readState();
    this.#parts.channel.send({ type: 'state', state: newest() });
  }

  /** It was changed elsewhere. A page that is not seen gets it with its next snapshot. */
  async sendDraft(): Promise<void> {
    const { view, channel, sessions, sources } = this.#parts;
    const { id } = sessions.shown;
    const draft = await sources.draft(id);
    if (view.visible) channel.send({ type: 'draft', session: id, draft });
  }

  /** All that a page needs which has the events up to `after`. */
  async begin(after: number): Promise<void> {
    const { channel, sessions, sources } = this.#parts;
    const newest = await this.#readState();
    const { id } = sessions.shown;
    // Read last: what is kept meanwhile is told at once, and must not be taken back by what was read before.
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
   * As it is now, wherever in time the panel stands: what a page in the past lacks comes with `past`. Nothing comes between
   * what is whole already and the page, which counts on that for events that follow.
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

  /** What happens while the panel stands in the past is kept from its page. */
  #goOn(send: () => void, hasGrown: boolean): void {
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

  /** Resolves with what gives the newest state there is then: one that was asked for later may have been shown meanwhile. */
  async #readState(): Promise<() => PanelState> {
    this.#asked += 1;
    const asked = this.#asked;
    const state = await this.#parts.sources.state();
    if (asked > this.#newest.asked) this.#newest = { asked, state };
    return () => this.#newest.state ?? state;
  }

  /** Nobody waits for it. */
  #report(work: Promise<void>): void {
    work.catch((error: unknown) => this.#parts.sources.warn(`The panel is not up to date: ${String(error)}`));
  }
}
