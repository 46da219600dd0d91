// A process of their own for webviews in a browser, as they have on the desktop: VS Code's server gives them the
// workbench's origin, and so its process.
import type { Page } from 'playwright-core';

/** Of one site, so that nothing counts as foreign to the page; but of two origins. */
const WORKBENCH = 'workbench.harness.localhost';
const PANEL = 'panel.harness.localhost';

/** What the browser must be told on its command line. */
export const isolatingArguments = [`--isolate-origins=http://${PANEL}`];

/** What its context must be: the workbench allows of frames of its own origin and of one on the internet. */
export const isolatingContext = { bypassCSP: true };

/** The address of a VS Code on 127.0.0.1 for such a page. */
export function isolatedUrl(url: string): string {
  return url.replace('127.0.0.1', WORKBENCH);
}

/** Called before VS Code is loaded into the page. */
export async function isolateWebviews(page: Page): Promise<void> {
  await page.addInitScript(moveWebviews, { from: WORKBENCH, to: PANEL });
}

export function isWebview(address: string): boolean {
  return new URL(address || 'about:blank').hostname === PANEL;
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
