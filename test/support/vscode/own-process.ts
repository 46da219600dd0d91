// VS Code in a browser in which webviews have a process of their own, as on the desktop, where that process can die alone.
// A page of which a part has crashed is lost for Playwright, so from then on it is driven by the protocol below.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchProfile, openHarnessPanel } from '../../../scripts/lib/vscode/browser.mjs';
import { tempDir } from '../temp-dir.ts';
import { DevTools } from './dev-tools.ts';
import { HarnessPanel } from './harness-panel.ts';

/** Of one site, so that nothing counts as foreign to the page; but of two origins. */
const WORKBENCH = 'workbench.harness.localhost';
const PANEL = 'panel.harness.localhost';
const TAB = 'iframe.webview[src*="extensionId=harness.harness-agent"]:not([src*="purpose=webviewView"])';

export interface OwnProcessWindow {
  /** Good until the process of the webviews dies, and so are the panels. */
  readonly page: Page;
  readonly sideBar: HarnessPanel;
  readonly tab: HarnessPanel;
  /** Ends the process of the webviews. */
  crash(): Promise<void>;
  /** Clicks in the middle of an element of the workbench. */
  click(selector: string): Promise<void>;
  /** What a function gives of the document of each webview that lives. */
  read<Result>(question: (webview: Document) => Result): Promise<Result[]>;
  close(): Promise<void>;
}

export async function openOwnProcessWindow(url: string): Promise<OwnProcessWindow> {
  const folder = await tempDir();
  const context = await launchProfile(folder, {
    // The workbench allows of frames of its own origin and of one on the internet.
    bypassCSP: true,
    viewport: { width: 1280, height: 800 },
    args: [`--isolate-origins=http://${PANEL}`, '--remote-debugging-port=0'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await page.addInitScript(moveWebviews, { from: WORKBENCH, to: PANEL });
  await page.goto(url.replace('127.0.0.1', WORKBENCH));
  const frame = await openHarnessPanel(page);
  const [port] = (await readFile(path.join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
  const tools = await DevTools.connect(Number(port));
  const isWebview = (address: string) => new URL(address || 'about:blank').hostname === PANEL;
  return {
    page,
    sideBar: new HarnessPanel(() => frame),
    tab: new HarnessPanel(() => page.locator(TAB).contentFrame().frameLocator('#active-frame')),
    crash: () => tools.crash('iframe', isWebview),
    async click(selector) {
      const [workbench] = await tools.targets('page', () => true);
      const [x = 0, y = 0] =
        (await workbench?.evaluate<number[]>(`(${middleOf})(${JSON.stringify(selector)})`)) ?? [];
      await workbench?.click(x, y);
    },
    async read<Result>(question: (webview: Document) => Result) {
      const webviews = await tools.targets('iframe', isWebview);
      const expression = `(${question})(document.querySelector('#active-frame').contentDocument)`;
      return Promise.all(webviews.map((webview) => webview.evaluate<Result>(expression)));
    },
    async close() {
      tools.close();
      await context.close();
    },
  };
}

/** Runs in each frame before its own scripts: webviews are loaded from another host, which takes itself for the workbench's. */
function moveWebviews({ from, to }: { from: string; to: string }): void {
  if (location.hostname === to) {
    Object.defineProperty(URL.prototype, 'hostname', { get: () => to });
  } else if (location.hostname === from) {
    const read = Element.prototype.getAttribute;
    Element.prototype.getAttribute = function (name) {
      const value = read.call(this, name);
      if (this.id !== 'vscode-workbench-web-configuration' || value === null) return value;
      const settings = JSON.parse(value);
      const endpoint = new URL(settings.webviewEndpoint, location.href);
      endpoint.host = endpoint.host.replace(from, to);
      return JSON.stringify({ ...settings, webviewEndpoint: endpoint.href });
    };
  }
}

/** Runs in the workbench. */
function middleOf(selector: string): number[] {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
}
