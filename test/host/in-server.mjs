// Runs a test module in the extension host of VS Code's server, with headless Chromium as its window.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repository } from '../../scripts/lib/paths.mjs';
import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { startTestServer, testUrl } from '../../scripts/lib/vscode/server.mjs';

/** @type {import('./run.mjs').RunInVsCode} */
export async function runInVsCode({ name, trust, testModule, limitMilliseconds, onLog }) {
  const vscode = await startTestServer({ name: `host-${name}`, trust });
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    const exited = Promise.withResolvers();
    await page.exposeFunction('codeAutomationExit', exited.resolve);
    /** @type {(type: string, args: unknown[]) => void} */
    const log = (type, args) => onLog(`[${type}] ${args.map(toText).join(' ')}`);
    await page.exposeFunction('codeAutomationLog', log);
    await page.goto(testUrl(vscode, repository, testModule));
    const code = await Promise.race([
      exited.promise,
      delay(limitMilliseconds, 'no exit code', { ref: false }),
    ]);
    const logs = [vscode.logFolder];
    // An extension host that was killed may end with 0 as well: then the logs are all there is.
    if (code === 0) return { logs };
    const picture = await takePicture(page, path.join(vscode.logFolder, 'window.png'));
    const failure = `VS Code ended with ${code}. Its window: ${picture}\n${await vscode.quoteLogs()}`;
    return { failure, logs };
  } finally {
    await browser.close();
    await vscode.stop();
  }
}

/**
 * A window that hangs cannot be drawn, which must not hide why it is asked for.
 * @param {import('playwright-core').Page} page
 * @param {string} file
 */
const takePicture = (page, file) =>
  page.screenshot({ path: file }).then(
    () => file,
    (error) => `(no picture: ${error.message})`,
  );

/** @param {unknown} value */
const toText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
