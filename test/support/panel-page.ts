// Opens the built panel in a headless browser, with VS Code's half of the page played by this file: security policy,
// theme, `acquireVsCodeApi`, and a host that keeps a log and answers `ready`.
import type { Browser, Locator, Page } from 'playwright-core';
import { ConversationFind } from '../../extension/app/view/conversation-find.ts';
import { LiveDeltas } from '../../extension/core/log/live-deltas.ts';
import { LogAt } from '../../extension/core/view/log-at.ts';
import { LogWindow, seekPrompt } from '../../extension/core/view/log-window.ts';
import { createTimedSearch } from '../../extension/node/search/timed-search.ts';
import type { Delta } from '../../extension/protocol/delta.ts';
import { type Draft, emptyDraft } from '../../extension/protocol/draft-messages.ts';
import type { EventDraft, SessionEvent } from '../../extension/protocol/events.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../../extension/protocol/messages.ts';
import { localizeEvent } from '../../extension/vscode/base/localize.ts';
import { createLocalizer, type Localizer } from '../../extension/vscode/base/localizer.ts';
import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { bundleOf, servePanel } from './panel-server.ts';
import { playVsCode } from './play-vscode.ts';
import { type ThemeName, themes } from './themes.ts';

const usual = { width: 320, height: 640 };

export interface PanelOptions {
  readonly theme?: ThemeName;
  /** VS Code's display language; English without one. */
  readonly language?: string;
  readonly width?: number;
  readonly height?: number;
  readonly state?: Partial<PanelState>;
  /** What is in the log before the page opens. */
  readonly events?: readonly EventDraft[];
  /** What `acquireVsCodeApi().getState()` gives at first. */
  readonly saved?: unknown;
  readonly firstLines?: number;
  /** What the host keeps for sessions. */
  readonly kept?: Readonly<Record<string, Draft>>;
  /** The host is still starting until then, and shows no session. */
  readonly started?: Promise<unknown>;
}

export interface PanelBrowser {
  open(options?: PanelOptions): Promise<PanelPage>;
  close(): Promise<void>;
}

/** `browserArguments` are those of Chromium's command line. */
export async function launchPanelBrowser(browserArguments: readonly string[] = []): Promise<PanelBrowser> {
  const server = await servePanel();
  const browser = await launchBrowser(browserArguments);
  return {
    open: (options = {}) => PanelPage.open(browser, server.origin, options),
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

export const defaultState: PanelState = {
  session: 'session-1',
  header: null,
  mode: 'ask',
  model: 'demo/demo',
  modelName: 'Demo',
  demo: false,
  ready: true,
  images: true,
  trusted: true,
  readOnly: false,
  hasWorkspace: true,
  roots: ['/repo'],
  history: [],
  suggestions: [],
  queue: [],
};

/** Of what is posted to a page. */
interface MessageCount {
  posted: number;
  heard: number;
}

/** Runs in the page before its own scripts. */
function countMessages(): void {
  const toPage: MessageCount = { posted: 0, heard: 0 };
  Object.assign(window, { toPage });
  window.addEventListener('message', ({ isTrusted }) => {
    if (isTrusted) toPage.heard += 1;
  });
}

/** A page with the panel, and the host that it talks to. */
export class PanelPage {
  readonly #posted: WebviewMessage[] = [];
  /** Violations of the page's security policy, and errors of its scripts. */
  readonly problems: string[] = [];
  /** Addresses that the page asked for. */
  readonly requests: string[] = [];
  state: PanelState;
  /** What the host keeps for each session. */
  readonly kept: Map<string, Draft>;
  #log = new LogWindow();
  /** What is growing. */
  #live = new LiveDeltas();
  /** VS Code's bundle of the language. */
  readonly #words: Readonly<Record<string, string>>;
  readonly #find = new ConversationFind(
    () => this.#log,
    // The page may be closed before the search is over.
    (results) => void this.send(results).catch(() => undefined),
    (message, ...values) => (this.#words[message] ?? message).replace('{0}', String(values[0])),
    createTimedSearch,
  );
  /** Lines that a page is given at once. */
  readonly #firstLines: number;
  readonly #started: Promise<unknown>;
  /** Resolves when the page, as it was loaded last, has drawn its first snapshot. */
  shown: Promise<void>;
  #tellShown = () => {};

  readonly page: Page;
  readonly #hear: Localizer;

  private constructor(
    page: Page,
    words: Readonly<Record<string, string>>,
    { state, firstLines = 120, kept = {}, started = Promise.resolve() }: PanelOptions,
  ) {
    this.page = page;
    this.#words = words;
    this.#hear = createLocalizer(words);
    this.#firstLines = firstLines;
    this.#started = started;
    this.kept = new Map(Object.entries(kept));
    this.shown = this.#nextShown();
    this.state = { ...defaultState, ...state };
  }

  static async open(browser: Browser, origin: string, options: PanelOptions): Promise<PanelPage> {
    const { width = usual.width, height = usual.height } = options;
    const context = await browser.newContext({ viewport: { width, height } });
    const words = JSON.parse((await bundleOf(options.language)) || '{}');
    const panel = new PanelPage(await context.newPage(), words, options);
    panel.append(options.events ?? []);
    await panel.#play(options);
    await panel.page.goto(`${origin}/${options.language ? `?${options.language}` : ''}`);
    return panel;
  }

  /** Loads the page again, and waits until it has drawn its first snapshot. */
  async reload(): Promise<void> {
    this.shown = this.#nextShown();
    await this.page.reload();
    await this.shown;
  }

  /** Appends to the log and tells the page. */
  async emit(...drafts: EventDraft[]): Promise<void> {
    const events = this.append(drafts);
    const { head } = this.#log;
    const starts = this.#log.startsAmong(events);
    await this.send({ type: 'update', events, deltas: [], starts, head });
    this.#find.advance();
  }

  async stream(...deltas: Delta[]): Promise<void> {
    for (const delta of deltas) this.#live.onDelta(delta);
    await this.send({ type: 'update', events: [], deltas, starts: [] });
  }

  async setState(changes: Partial<PanelState>): Promise<void> {
    this.state = { ...this.state, ...changes };
    await this.send({ type: 'state', state: this.state });
  }

  /** Begins another session, with this log. */
  async showSession(session: string, drafts: readonly EventDraft[]): Promise<void> {
    // What the page has said of the one before, such as its draft, counts.
    await this.posted();
    this.#log = new LogWindow();
    this.#live = new LiveDeltas();
    this.state = { ...this.state, session };
    this.append(drafts);
    await this.#snapshot(0);
  }

  /** As a host does that still reads the session: only what there is from event `first` on, which must be a prompt. */
  async showEnd(first: number): Promise<void> {
    const end = new LogWindow(this.#log.after(first - 1));
    const { lines, events } = end;
    const starts = end.startsAmong(events);
    const { head } = this.#log;
    const { state } = this;
    await this.send({ type: 'snapshot', state, head, lines, after: 0, from: 0, starts, events, isEnd: true });
  }

  /** Shows the session as it was after event `seq`, with this title. */
  async goTo(seq: number, title: string): Promise<void> {
    const past = new LogAt(this.#log, seq);
    const { head, last: section, lastLines: lines } = past;
    const events = this.#log.section(section);
    const last = this.#log.events.at(-1)?.seq ?? 0;
    const at = { seq, last, title, label: past.event?.type ?? '', head, section, lines, events };
    await this.send({ type: 'past', session: this.state.session, at });
  }

  async backToNow(): Promise<void> {
    await this.send({ type: 'past', session: this.state.session });
  }

  /** The host has read all of it. */
  showWhole(): Promise<void> {
    return this.#snapshot(0);
  }

  /** Posts to the page as VS Code does, and waits until the page has drawn it. */
  async send(...messages: readonly (HostMessage | unknown)[]): Promise<void> {
    await this.page.evaluate(async (posted) => {
      const toPage: MessageCount = Reflect.get(window, 'toPage');
      toPage.posted += posted.length;
      const last = toPage.posted;
      for (const data of posted) window.postMessage(data, window.origin);
      while (toPage.heard < last) await new Promise(requestAnimationFrame);
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    }, messages);
  }

  /** From now on the page's timers wait until the result is called; then their time begins. */
  async holdTimers(): Promise<() => Promise<void>> {
    const release = await this.page.evaluateHandle(() => {
      const { setTimeout: start } = window;
      const held: Parameters<typeof setTimeout>[] = [];
      Object.assign(window, {
        setTimeout: (...timer: Parameters<typeof setTimeout>) => void held.push(timer),
      });
      return () => {
        Object.assign(window, { setTimeout: start });
        for (const timer of held) start(...timer);
      };
    });
    return () => release.evaluate((goOn) => goOn());
  }

  /** What the log holds, to be put into another. */
  get drafts(): EventDraft[] {
    // An event is a draft with its place in the log, which the other log gives anew.
    return this.#log.events.map(({ timestamp, session, seq, prev, ...draft }) => draft as EventDraft);
  }

  part(kind: string): Locator {
    return this.page.locator(`[data-part="${kind}"]`);
  }

  /** What the text parts say. */
  async texts(): Promise<string[]> {
    return (await this.part('text').allTextContents()).map((content) => content.trim());
  }

  get input(): Locator {
    return this.page.locator('textarea');
  }

  /** Everything that the page has posted up to now, also what is still on its way. */
  async posted(): Promise<readonly WebviewMessage[]> {
    // What a page calls is heard in the order in which it calls.
    await this.page.evaluate(() => Reflect.get(window, 'catchUp')());
    return [...this.#posted];
  }

  /** Those of one type. */
  async messages<T extends WebviewMessage['type']>(type: T): Promise<Extract<WebviewMessage, { type: T }>[]> {
    return (await this.posted()).filter(
      (message): message is Extract<WebviewMessage, { type: T }> => message.type === type,
    );
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }

  /** Appends to the log without telling the page. */
  append(drafts: readonly EventDraft[]): SessionEvent[] {
    const next = this.#log.events.length + 1;
    const { session } = this.state;
    const events = drafts.map((draft, index) =>
      localizeEvent({ ...draft, timestamp: Date.now(), session, seq: next + index, prev: '' }, this.#hear),
    );
    this.#log.apply(events);
    this.#live.onEvents(events);
    return events;
  }

  #nextShown(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellShown = resolve;
    });
  }

  async #play({ theme = 'dark', saved }: PanelOptions): Promise<void> {
    this.page.on('request', (request) => this.requests.push(request.url()));
    this.page.on('pageerror', (error) => this.problems.push(String(error)));
    await this.page.exposeFunction('reportProblem', (problem: string) => void this.problems.push(problem));
    await this.page.exposeFunction('postToHost', (message: WebviewMessage) => this.#receive(message));
    await this.page.exposeFunction('catchUp', () => undefined);
    await this.page.addInitScript(countMessages);
    await this.page.addInitScript(playVsCode, { theme: themes[theme], saved });
  }

  async #receive(message: WebviewMessage): Promise<void> {
    this.#posted.push(message);
    if (message.type === 'draft/save') await this.#keep(message);
    if (message.type === 'prompt/submit' || message.type === 'prompt/steer')
      this.kept.delete(message.session);
    if (message.type === 'section/get') await this.#sendSection(message.index);
    if (message.type === 'find/start') this.#find.start(message);
    if (message.type === 'find/stop') this.#find.stop();
    if (message.type === 'prompt/seek') await this.#seekPrompt(message);
    if (message.type !== 'ready') return;
    await this.#started;
    await this.#snapshot(message.session === this.state.session ? message.lastSeq : 0);
    this.#tellShown();
  }

  async #keep({ session, request, draft }: Extract<WebviewMessage, { type: 'draft/save' }>) {
    this.kept.set(session, draft);
    // The page may be closed before it is told.
    await this.send({ type: 'draft/kept', session, request }).catch(() => undefined);
  }

  /** Tells the page what is kept for the session that it shows: another panel has changed it. */
  async sendDraft(draft = this.kept.get(this.state.session) ?? emptyDraft): Promise<void> {
    await this.send({ type: 'draft', session: this.state.session, draft });
  }

  async #seekPrompt({ session, section, direction }: Extract<WebviewMessage, { type: 'prompt/seek' }>) {
    const place = seekPrompt(this.#log, section, direction);
    await this.send({ type: 'prompt/found', session, direction, ...(place && { place }) });
  }

  async #sendSection(index: number): Promise<void> {
    const { session } = this.state;
    await this.send({ type: 'section', session, index, events: this.#log.section(index) });
  }

  async #snapshot(after: number): Promise<void> {
    const log = this.#log;
    const from = Math.max(0, log.tail(this.#firstLines));
    const events = after > 0 ? log.after(after) : log.sectionsFrom(from);
    const { head, lines } = log;
    const starts = log.startsAmong(events);
    const snapshot = { type: 'snapshot', state: this.state, head, lines, after, from, starts, events };
    const draft = this.kept.get(this.state.session) ?? emptyDraft;
    await this.send(snapshot, { type: 'draft', session: this.state.session, draft });
    const deltas = [...this.#live.deltas];
    if (deltas.length > 0) await this.send({ type: 'update', events: [], deltas, starts: [], isPast: true });
  }
}
