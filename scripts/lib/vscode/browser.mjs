// VS Code's workbench in headless Chromium: the operations that tests and scripts need.
import { chromium as playwright } from 'playwright-core';
import { chromium } from '../chromium.mjs';
import { onShutdown } from '../process-tree.mjs';
import { isNoise } from './noise.mjs';

const startMilliseconds = 180_000;
const stepMilliseconds = 60_000;

const browserArguments = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** @type {Record<import('./browser.d.mts').Theme, { label: string, className: string }>} */
const themes = {
  dark: { label: 'Dark 2026', className: 'vs-dark' },
  light: { label: 'Light 2026', className: 'vs' },
  highContrast: { label: 'Dark High Contrast', className: 'hc-black' },
  highContrastLight: { label: 'Light High Contrast', className: 'hc-light' },
};

// Harness's scripts handle Ctrl+C. Playwright's handlers would end the process before the server is stopped.
const ownSignals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };

/** @type {typeof import('./browser.d.mts').launchProfile} */
export async function launchProfile(folder, { args = [], ...options }) {
  const context = await playwright.launchPersistentContext(folder, {
    executablePath: await chromium(),
    args: [...browserArguments, ...args],
    ...ownSignals,
    ...options,
  });
  context.setDefaultTimeout(stepMilliseconds);
  context.once(
    'close',
    onShutdown(() => context.close()),
  );
  return context;
}

/** @type {typeof import('./browser.d.mts').launchBrowser} */
export async function launchBrowser(moreArguments = []) {
  const program = await chromium();
  const browser = await playwright.launch({
    executablePath: program,
    args: [...browserArguments, ...moreArguments],
    ...ownSignals,
  });
  browser.once(
    'disconnected',
    onShutdown(() => browser.close()),
  );
  return browser;
}

/** @type {typeof import('./browser.d.mts').openWorkbench} */
export async function openWorkbench(url, { width = 1280, height = 800 } = {}) {
  const browser = await launchBrowser();
  // Does not use `browser.newPage()`, whose context allows no second page.
  const context = await browser.newContext({ viewport: { width, height } });
  context.setDefaultTimeout(stepMilliseconds);
  const page = await context.newPage();
  const consoleErrors = collectErrors(page);
  await page.goto(url, { timeout: startMilliseconds });
  await page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: startMilliseconds });
  return { page, consoleErrors, close: () => browser.close() };
}

/** @param {import('playwright-core').Page} page */
function collectErrors(page) {
  /** @type {string[]} */
  const errors = [];
  /** @param {string} text */
  const add = (text) => {
    if (!isNoise(text)) errors.push(text);
  };
  page.on('console', (message) => {
    if (message.type() === 'error') add(`${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => add(`${error.message}\n${error.stack}`));
  return errors;
}

/** @type {typeof import('./browser.d.mts').openHarnessPanel} */
export async function openHarnessPanel(page) {
  // VS Code's own chat is a webview view, too. The extension id identifies ours. After a view was hidden and
  // shown again, its URL no longer distinguishes it from an editor tab.
  const own = 'iframe.webview[src*="extensionId=harness.harness-agent"]';
  const inView = `${own}[src*="purpose=webviewView"]`;
  const view = page.locator(`${inView}, body:not(:has(${inView})) ${own}`);
  if (!(await view.isVisible())) {
    const icon = page.locator('.activitybar a.action-label[aria-label^="Harness"]');
    await step('The Harness icon did not appear in the activity bar. Is the extension installed?', () =>
      icon.click({ timeout: startMilliseconds }),
    );
    await page.mouse.move(0, 0); // otherwise the icon's tooltip stays
  }
  const panel = view.contentFrame().frameLocator('#active-frame');
  await step('The Harness view opened, but its page did not load.', () =>
    panel.locator('body').waitFor({ timeout: startMilliseconds }),
  );
  return panel;
}

/** @type {typeof import('./browser.d.mts').runCommand} */
export async function runCommand(page, title) {
  await chooseEntry(page, () => openPalette(page), `>${title}`, title);
}

/** @type {typeof import('./browser.d.mts').openFile} */
export async function openFile(page, name) {
  await chooseEntry(page, () => openPalette(page), name, name);
  await page.locator(`.tab.active[data-resource-name="${name}"]`).waitFor();
}

/** @type {typeof import('./browser.d.mts').setTheme} */
export async function setTheme(page, theme) {
  const { label, className } = themes[theme];
  await chooseTheme(page, label);
  await page.locator(`.monaco-workbench.${className}`).waitFor();
}

/** @type {typeof import('./browser.d.mts').chooseTheme} */
export async function chooseTheme(page, label) {
  await chooseEntry(page, () => runCommand(page, 'Preferences: Color Theme'), label, label);
}

const quickInput = '.quick-input-widget .quick-input-filter input[type="text"]';

/**
 * Presses the keys until the workbench answers, because it drops them while it starts.
 * @param {import('playwright-core').Page} page
 */
async function openPalette(page) {
  const deadline = Date.now() + stepMilliseconds;
  do {
    if (Date.now() > deadline) throw new Error('The command palette did not open.');
    // The focused element may be a webview that is gone and ignores keys, or one that reappears and handles
    // F1.
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
    await page.keyboard.press('ControlOrMeta+Shift+P');
  } while (!(await isShown(page.locator(quickInput), 2000)));
}

/**
 * Opens the list again if needed: a list that opens late is empty at first, and a view that gets the focus
 * late closes it.
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<void>} open
 * @param {string} query
 * @param {string} label
 */
async function chooseEntry(page, open, query, label) {
  const labeled = page.locator('.label-name').getByText(label, { exact: true });
  const row = page.locator('.quick-input-list .monaco-list-row').filter({ has: labeled }).first();
  const deadline = Date.now() + stepMilliseconds;
  do {
    await open();
    const isChosen = await page
      .locator(quickInput)
      .fill(query, { timeout: 5000 })
      .then(() => row.click({ timeout: 5000 }))
      .then(
        () => true,
        () => false,
      );
    if (isChosen) return;
  } while (Date.now() < deadline);
  throw new Error(`VS Code's quick pick has no entry "${label}" for "${query}".`);
}

/** @type {typeof import('./browser.d.mts').resizeSideBar} */
export async function resizeSideBar(page, width) {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (!box) throw new Error('The side bar is not shown, so it cannot be resized.');
  const edge = { x: box.x + box.width + 1, y: box.y + box.height / 2 };
  await page.mouse.move(edge.x, edge.y);
  await page.mouse.down();
  await page.mouse.move(edge.x + width - box.width, edge.y, { steps: 5 });
  await page.mouse.up();
  await page.mouse.move(0, 0); // otherwise the edge stays highlighted
}

/** @type {typeof import('./browser.d.mts').screenshotPanel} */
export async function screenshotPanel(page, file) {
  await page.locator('.part.sidebar').screenshot({ path: file, animations: 'disabled' });
}

/**
 * @param {import('playwright-core').Locator} locator
 * @param {number} timeout
 */
async function isShown(locator, timeout) {
  return await locator.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}

/**
 * Adds the meaning of the step to Playwright's error, which only names the selector.
 * @param {string} failure
 * @param {() => Promise<void>} action
 */
async function step(failure, action) {
  try {
    await action();
  } catch (error) {
    throw new Error(`${failure}\n${/** @type {Error} */ (error).message}`, { cause: error });
  }
}
