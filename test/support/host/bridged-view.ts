import type { Browser, Page } from 'playwright-core';
import type * as vscode from 'vscode';
import { playVsCode } from '../play-vscode.ts';
import { themes } from '../themes.ts';
import { commands, EventEmitter } from './vscode-bridge.ts';

/** How a page may go without anybody being told. */
export type Death = 'crash' | 'close' | 'reload';

interface BridgeOptions {
  readonly browser: Browser;
  /** Of the built page. */
  readonly origin: string;
  /** Each view has a name of its own. */
  readonly viewType: string;
  /** VS Code has made the view anew. */
  readonly resolve: (view: vscode.WebviewView) => void;
}

/** A view in VS Code's side bar as an extension notices it, whose page is one of Chromium, in a process of its own. */
export class BridgedView {
  /** What VS Code keeps for the page. */
  state: unknown;
  /** What was posted while it was hidden. */
  readonly lost: unknown[] = [];
  readonly #options: BridgeOptions;
  readonly #received = new EventEmitter<unknown>();
  readonly #visibility = new EventEmitter<void>();
  #disposed = new EventEmitter<void>();
  #isVisible = true;
  /** The newest page, which may be dead; undefined where there is none. */
  #page: Promise<Page> | undefined;
  /** Of before it was hidden. */
  #spare: Promise<Page> | undefined;
  readonly #dead = new WeakSet<Page>();
  readonly #command: { dispose(): void };

  constructor(options: BridgeOptions) {
    this.#options = options;
    this.#command = commands.registerCommand(`${options.viewType}.toggleVisibility`, () => this.#toggle());
    this.#make();
  }

  /** The page that is shown, which may be dead. */
  async page(): Promise<Page> {
    const page = await this.#page;
    if (!page) throw new Error('The view is hidden.');
    return page;
  }

  get isVisible(): boolean {
    return this.#isVisible;
  }

  /** VS Code drops the page of a view that is hidden. */
  hide(): void {
    if (!this.#isVisible) return;
    this.#isVisible = false;
    this.#spare = this.#page?.then(empty);
    this.#page = undefined;
    this.#visibility.fire();
  }

  show(): void {
    if (this.#isVisible) return;
    this.#isVisible = true;
    this.#page = this.#reopen(this.#spare);
    this.#visibility.fire();
  }

  /** A page that is dead already stays so. */
  async kill(death: Death): Promise<void> {
    const page = await this.page();
    if (this.#dead.has(page)) return;
    if (death === 'reload') {
      this.#page = page.reload().then(() => page);
      return;
    }
    this.#dead.add(page);
    if (death === 'close') await page.context().close();
    else await crash(page);
  }

  /** Resolves when its page is gone. */
  async dispose(): Promise<void> {
    const page = await this.#page?.catch(() => undefined);
    this.#command.dispose();
    this.#disposed.fire();
    this.#page = undefined;
    await page?.context().close();
  }

  #toggle(): void {
    if (this.#page) {
      this.#drop();
      this.#disposed.fire();
    } else this.#make();
  }

  #make(): void {
    this.#disposed = new EventEmitter();
    this.#page = this.#open();
    this.#options.resolve(this.#view());
  }

  #drop(): void {
    void this.#page?.then((page) => page.context().close());
    this.#page = undefined;
  }

  /** In the process of the page before, which is quicker, where that lives. */
  async #reopen(spare: Promise<Page> | undefined): Promise<Page> {
    const page = await spare;
    if (!page || this.#dead.has(page)) return this.#open();
    await page.goto(this.#options.origin);
    return page;
  }

  async #open(): Promise<Page> {
    const { browser, origin } = this.#options;
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } });
    const page = await context.newPage();
    const isShown = async () => page === (await this.#page);
    await page.exposeFunction('postToHost', async (message: unknown) => {
      if (await isShown()) this.#received.fire(message);
    });
    await page.exposeFunction('keepState', (state: unknown) => {
      this.state = state;
    });
    await page.addInitScript(playVsCode, { theme: themes.dark, saved: this.state });
    await page.goto(origin);
    return page;
  }

  #view(): vscode.WebviewView {
    const disposed = this.#disposed;
    const bridge = this;
    const view = {
      viewType: this.#options.viewType,
      get visible() {
        return bridge.#isVisible;
      },
      onDidChangeVisibility: this.#visibility.event,
      onDidDispose: disposed.event,
      webview: {
        onDidReceiveMessage: this.#received.event,
        postMessage: (message: unknown) => this.#post(message),
      },
    };
    // As much of a view as a panel uses.
    return view as unknown as vscode.WebviewView;
  }

  /** To a hidden page nothing is passed on; to a dead one it is, and nobody says that it is not heard. */
  async #post(message: unknown): Promise<boolean> {
    const page = await this.#page;
    if (!page) this.lost.push(message);
    const post = (data: unknown) => window.postMessage(data, window.origin);
    void page?.evaluate(post, message).catch(() => undefined);
    return page !== undefined;
  }
}

/** A dead page stays as it is. */
async function empty(page: Page): Promise<Page> {
  await page.goto('about:blank').catch(() => undefined);
  return page;
}

/** Ends the process of a page. */
async function crash(page: Page): Promise<void> {
  const died = page.waitForEvent('crash');
  const session = await page.context().newCDPSession(page);
  // Nobody is left to answer.
  session.send('Page.crash').catch(() => undefined);
  await died;
}
