// The scenes of the pictures, in order. Each begins where the previous one ended.
import { runCommand } from '../lib/vscode/browser.mjs';
import { addWeeks, fix, overloaded, prompts, trouble } from './replies.mjs';
import { allowUntilRest, answer, approvalOf, ask, inputOf, newSession, rests, setApiKey } from './stage.mjs';

/**
 * @typedef {object} Camera
 * @property {(suffix?: string) => Promise<void>} panel in every theme, wide and narrow
 * @property {(suffix: string) => Promise<unknown>} window as it is
 */

/** @typedef {(stage: import('./stage.mjs').Stage, camera: Camera) => Promise<void>} Scene */

/** @type {Record<string, Scene>} */
export const scenes = { start, 'no-key': noKey, approval, done, 'long-run': longRun, changes, past, errors };

/** @type {Scene} */
async function start(_stage, camera) {
  await camera.panel();
}

/** @type {Scene} */
async function noKey({ panel }, camera) {
  await inputOf(panel).fill(prompts.fix);
  await inputOf(panel).press('Enter');
  await panel.locator('[data-part="error"]').waitFor();
  await camera.panel();
}

/** @type {Scene} */
async function approval(stage, camera) {
  await setApiKey(stage.page);
  await newSession(stage);
  stage.claude.says(...fix);
  await ask(stage.panel, prompts.fix);
  await approvalOf(stage.panel);
  await camera.panel();
  await camera.window('window');
}

/** @type {Scene} */
async function done({ panel }, camera) {
  await allowUntilRest(panel);
  await camera.panel();
}

/** @type {Scene} */
async function longRun(stage, camera) {
  const { panel, page } = stage;
  await stage.restore();
  await newSession(stage);
  stage.claude.says(...addWeeks);
  await ask(panel, prompts.week);
  await allowUntilRest(panel);
  await camera.panel();
  await panel.locator('[role="log"]').press('PageUp');
  await camera.panel('-above');
  await runCommand(page, 'Harness: Open in Editor Tab');
  // The tab takes the focus when it appears, which would close the next command's list.
  const tab = page.locator('iframe.webview:not([src*="purpose=webviewView"])').last();
  const tabPanel = tab.contentFrame().frameLocator('#active-frame');
  await tabPanel.locator('[data-part="text"]').last().waitFor();
  await camera.window('tab');
  await runCommand(page, 'View: Close All Editors');
}

/** @type {Scene} */
async function changes({ page }, camera) {
  await runCommand(page, 'Harness: Review Changes');
  await page.locator('.multiDiffEditor .line-insert').first().waitFor();
  await runCommand(page, 'Harness: Show Timeline');
  await page.getByRole('treeitem', { name: prompts.week }).first().waitFor();
  await page.mouse.move(0, 0);
  await camera.window('window');
  await runCommand(page, 'Harness: Hide Timeline');
  await runCommand(page, 'View: Close All Editors');
}

/** @type {Scene} */
async function past({ page, panel }, camera) {
  await runCommand(page, 'Harness: Go to Earlier Point…');
  const slider = panel.locator('input[type="range"]');
  await slider.press('PageDown');
  await slider.press('PageDown');
  await camera.panel();
  await slider.press('Escape');
  await slider.waitFor({ state: 'detached' });
}

/** @type {Scene} */
async function errors(stage, camera) {
  const { panel, claude } = stage;
  await newSession(stage);
  claude.says(...trouble, overloaded);
  await ask(panel, prompts.trouble);
  await answer(panel, 'Allow once');
  await approvalOf(panel);
  await camera.panel('-dangerous');
  await answer(panel, 'Deny');
  await rests(panel);
  await ask(panel, 'Yes, do');
  await panel.getByRole('button', { name: 'Retry Now' }).waitFor();
  await camera.panel();
}
