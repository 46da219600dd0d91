// Runs a test module in the extension host of VS Code's server, with headless Chromium as its window.
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { repository } from '../../scripts/lib/paths.mjs';
import { launchBrowser } from '../../scripts/lib/vscode/browser.mjs';
import { startTestServer, testUrl } from '../../scripts/lib/vscode/server.mjs';

const limitMilliseconds = 30 * 60_000;

/** @type {import('./run.mjs').RunInVsCode} */
export async function runInVsCode({ name, trust, testModule, onLog }) {
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
    if (code === 0) return undefined;
    const screenshot = path.join(vscode.logFolder, 'window.png');
    await page.screenshot({ path: screenshot });
    return `VS Code ended with ${code}. Its window: ${screenshot}\n${await vscode.quoteLogs()}`;
  } finally {
    await browser.close();
    await vscode.stop();
  }
}

/** @param {unknown} value */
const toText = (value) => (typeof value === 'string' ? value : JSON.stringify(value));
