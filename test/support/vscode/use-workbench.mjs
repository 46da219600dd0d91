// The set-up that every browser test file shares; use-workbench.d.mts says how it is used.
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { openHarnessPanel, openWorkbench } from '../../../scripts/lib/vscode/browser.mjs';
import { testLogName } from '../../../scripts/lib/vscode/logs.mjs';
import { startWorkbench } from '../../../scripts/lib/vscode/server.mjs';

/** @type {typeof import('./use-workbench.d.mts').useWorkbench} */
export function useWorkbench({ width, height, ...options } = {}) {
  /** @type {import('./use-workbench.d.mts').WorkbenchUnderTest} Filled before the first test. */
  const workbench = Object.create(null);
  /** @type {(() => Promise<void>)[]} What was set up, the latest first: the set-up may fail half way. */
  const undo = [];

  beforeAll(async () => {
    const { testPath = '' } = expect.getState();
    const vscode = await startWorkbench({ name: testLogName(testPath), ...options });
    undo.unshift(vscode.stop);
    const { page, consoleErrors, close } = await openWorkbench(vscode.url, { width, height });
    undo.unshift(close);
    Object.assign(workbench, { page, consoleErrors, vscode });
    try {
      Object.assign(workbench, { panel: await openHarnessPanel(page) });
    } catch (error) {
      await showFailure(workbench, 'set-up');
      throw error;
    }
  });

  beforeEach(({ task, onTestFailed }) => {
    onTestFailed(() => showFailure(workbench, task.name));
  });

  afterAll(async () => {
    for (const step of undo) await step();
  });

  return workbench;
}

/**
 * @param {import('./use-workbench.d.mts').WorkbenchUnderTest} workbench
 * @param {string} name
 */
async function showFailure({ page, vscode, consoleErrors }, name) {
  const picture = path.join(vscode.logFolder, `${name.replace(/\W+/g, '-')}.png`);
  await page.screenshot({ path: picture });
  const errors = consoleErrors.join('\n') || '(none)';
  const logs = await vscode.quoteLogs();
  console.log(`The window when it failed: ${picture}\n--- errors on the page\n${errors}\n${logs}`);
}
