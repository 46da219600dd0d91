// One session of the demo model in a real VS Code, driven like a user would.
import path from 'node:path';
import { openHarnessPanel, openWorkbench } from '../../test/support/vscode/browser.mjs';
import { startWorkbench } from '../../test/support/vscode/server.mjs';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';

const limitMilliseconds = 5 * 60_000;

/** @typedef {'start' | 'approval' | 'end'} Moment the prompt is typed; the first approval is asked; the turn is over */
/** @typedef {import('playwright-core').Page} Page */

/**
 * @param {{ folder: string, prompt: string, atMoment: (moment: Moment, page: Page) => Promise<void> }} options
 *   `folder` gets the workspace and, as `harness-home`, what Harness stores
 */
export async function playDemo({ folder, prompt, atMoment }) {
  const workspace = await makeSampleWorkspace(path.join(folder, 'workspace'));
  const settings = { 'harness.model': 'demo/demo' };
  const env = { HARNESS_HOME: path.join(folder, 'harness-home') };
  const vscode = await startWorkbench({ name: 'demo', workspace, settings, env });
  const { page, close } = await openWorkbench(vscode.url, { width: 1400, height: 900 });
  try {
    await playTurn(page, prompt, atMoment);
  } catch (error) {
    const picture = path.join(folder, 'failure.png');
    await page.screenshot({ path: picture });
    throw new Error(
      `The demo failed. ${/** @type {Error} */ (error).message}\nThe window when it failed: ${picture}\n${await vscode.quoteLogs()}`,
      { cause: error },
    );
  } finally {
    await close();
    await vscode.stop();
  }
}

/**
 * @param {Page} page
 * @param {string} prompt
 * @param {(moment: Moment, page: Page) => Promise<void>} atMoment
 */
async function playTurn(page, prompt, atMoment) {
  const deadline = Date.now() + limitMilliseconds;
  const panel = await openHarnessPanel(page);
  const input = panel.locator('textarea[aria-label="Ask Harness"]');
  await input.fill(prompt);
  await atMoment('start', page);
  const busy = panel.locator('[role="status"]:not([data-state="idle"])').waitFor({ state: 'attached' });
  await input.press('Enter');
  await busy;
  for (let answered = 0; (await nextEvent(panel, deadline)) === 'approval'; answered += 1) {
    if (answered === 0) await atMoment('approval', page);
    await allowOnce(panel);
  }
  await atMoment('end', page);
}

/** @param {import('playwright-core').FrameLocator} panel */
const approvals = (panel) =>
  panel
    .locator('[data-part="permission"]')
    .filter({ has: panel.getByRole('button', { name: 'Allow once' }) });

/**
 * @param {import('playwright-core').FrameLocator} panel
 * @param {number} deadline
 * @returns {Promise<'approval' | 'end'>}
 */
async function nextEvent(panel, deadline) {
  const timeout = Math.max(1, deadline - Date.now());
  // The status has nothing to show when idle.
  const over = panel.locator('[role="status"][data-state="idle"], [role="status"][data-state="error"]');
  try {
    return await Promise.race([
      approvals(panel)
        .first()
        .waitFor({ timeout })
        .then(() => /** @type {const} */ ('approval')),
      over
        .first()
        .waitFor({ state: 'attached', timeout })
        .then(() => /** @type {const} */ ('end')),
    ]);
  } catch (error) {
    throw new Error(`The turn did not end within ${limitMilliseconds / 60_000} minutes.`, { cause: error });
  }
}

/** Answers one open approval and waits until it is answered; others may be open as well. @param {import('playwright-core').FrameLocator} panel */
async function allowOnce(panel) {
  const id = await approvals(panel).first().getAttribute('data-part-id');
  const button = panel.locator(`[data-part-id="${id}"]`).getByRole('button', { name: 'Allow once' });
  await button.click();
  await button.waitFor({ state: 'hidden' });
}
