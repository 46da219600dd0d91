import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchPanelBrowser, type PanelBrowser, type PanelOptions, type PanelPage } from './panel-page.ts';

/**
 * One browser for the tests of a file; gives back what opens a panel in it. A panel is closed when its test has ended,
 * and must by then have broken neither its scripts nor its security policy.
 */
export function usePanel(
  browserArguments: readonly string[] = [],
): (options?: PanelOptions) => Promise<PanelPage> {
  let browser: PanelBrowser;
  let pages: PanelPage[] = [];
  beforeAll(async () => {
    browser = await launchPanelBrowser(browserArguments);
  });
  afterEach(async () => {
    const problems = pages.flatMap((page) => page.problems);
    await Promise.all(pages.map((page) => page.close()));
    pages = [];
    expect(problems).toEqual([]);
  });
  afterAll(() => browser.close());
  return async (options) => {
    const page = await browser.open(options);
    pages.push(page);
    await page.input.waitFor();
    if (!options?.started) await page.shown;
    return page;
  };
}
