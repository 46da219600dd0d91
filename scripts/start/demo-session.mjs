// Plays one session of the demo model in a real VS Code, operated like a user would.
import path from 'node:path';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';
import { openHarnessPanel, openWorkbench } from '../lib/vscode/browser.mjs';
import { startWorkbench } from '../lib/vscode/server.mjs';

const limitMilliseconds = 5 * 60_000;

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').FrameLocator} Panel */
/** @typedef {'start' | 'approval' | 'end'} Moment the prompt is typed; an approval is open, each time; the turn is over */
/** @typedef {(moment: Moment, page: Page, panel: Panel) => Promise<void>} AtMoment */

/**
 * @param {{ folder: string, workspace?: string, prompt: string, atMoment: AtMoment }} options
 *   Harness stores its files in `folder`/harness-home. The sample goes to `workspace`, or a temporary folder
 */
export async function playDemo({ folder, workspace, prompt, atMoment }) {
  if (workspace) await makeSampleWorkspace(workspace);
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
 * @param {AtMoment} atMoment
 */
async function playTurn(page, prompt, atMoment) {
  const deadline = Date.now() + limitMilliseconds;
  const panel = await openHarnessPanel(page);
  const input = panel.locator('textarea[aria-label="Ask Harness"]');
  await input.fill(prompt);
  await atMoment('start', page, panel);
  const busy = panel.locator('[role="status"]:not([data-state="idle"])').waitFor({ state: 'attached' });
  await input.press('Enter');
  await busy;
  while ((await nextEvent(panel, deadline)) === 'approval') {
    await atMoment('approval', page, panel);
    await allowOnce(panel);
  }
  // The window gets the state a little later than the panel.
  await page.locator('.statusbar-item', { hasText: 'Harness:' }).waitFor({ state: 'hidden' });
  await atMoment('end', page, panel);
}

/** @param {Panel} panel */
const approvals = (panel) =>
  panel
    .locator('[data-part="permission"]')
    .filter({ has: panel.getByRole('button', { name: 'Allow once' }) });

/**
 * @param {Panel} panel
 * @param {number} deadline
 * @returns {Promise<'approval' | 'end'>}
 */
async function nextEvent(panel, deadline) {
  const timeout = Math.max(1, deadline - Date.now());
  // The idle status is empty.
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

/** Answers one open approval and waits until it is answered. Others may be open, too. @param {Panel} panel */
async function allowOnce(panel) {
  const id = await approvals(panel).first().getAttribute('data-part-id');
  const button = panel.locator(`[data-part-id="${id}"]`).getByRole('button', { name: 'Allow once' });
  await button.click();
  await button.waitFor({ state: 'hidden' });
}
