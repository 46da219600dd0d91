import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import type { ModelProvider } from '../../extension/core/ports/model.ts';
import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { openDesk, type PanelDesk } from './host/panel-desk.ts';
import { type PanelServer, servePanel } from './panel-server.ts';

/** One browser for the tests of a file; gives back what opens a panel in it beside its real host, in which `provider` answers. */
export function useDesk(): (provider: ModelProvider) => Promise<PanelDesk> {
  let server: PanelServer;
  let browser: Browser;
  beforeAll(async () => {
    server = await servePanel();
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    await server.close();
  });
  return (provider) => openDesk({ browser, origin: server.origin }, provider);
}
