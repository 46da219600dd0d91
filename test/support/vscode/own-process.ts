// VS Code in a browser in which webviews have a process of their own, as on the desktop, where that process can die alone.
// A page of which a part has crashed is lost for Playwright, so from then on it is driven by the protocol below.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchProfile, openHarnessPanel } from '../../../scripts/lib/vscode/browser.mjs';
import { tempDir } from '../temp-dir.ts';
import { DevTools } from './dev-tools.ts';
import { HarnessPanel } from './harness-panel.ts';
import {
  isolatedUrl,
  isolateWebviews,
  isolatingArguments,
  isolatingContext,
  isWebview,
} from './webview-process.ts';

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
    ...isolatingContext,
    viewport: { width: 1280, height: 800 },
    args: [...isolatingArguments, '--remote-debugging-port=0'],
  });
  const page = context.pages()[0] ?? (await context.newPage());
  await isolateWebviews(page);
  await page.goto(isolatedUrl(url));
  const frame = await openHarnessPanel(page);
  const [port] = (await readFile(path.join(folder, 'DevToolsActivePort'), 'utf8')).split('\n');
  const tools = await DevTools.connect(Number(port));
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

/** Runs in the workbench. */
function middleOf(selector: string): number[] {
  const box = document.querySelector(selector)?.getBoundingClientRect();
  return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
}
