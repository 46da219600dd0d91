// The packaged extension in a real workbench, with a scripted Claude: the subject of every picture.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { inRepository } from '../lib/paths.mjs';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';
import { openHarnessPanel, openWorkbench, runCommand } from '../lib/vscode/browser.mjs';
import { startWorkbench } from '../lib/vscode/server.mjs';
import { startClaude } from './claude.mjs';

const runMilliseconds = 120_000;
/** Any key works, because the API is not the real one. */
const apiKey = 'sk-ant-a-key-for-pictures';

/** Changes must be visible in a small window, too. */
const settings = {
  'diffEditor.renderOverviewRuler': false,
  'diffEditor.wordWrap': 'on',
  'editor.minimap.enabled': false,
  'terminal.integrated.gpuAcceleration': 'off',
};

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').FrameLocator} Panel */
/**
 * @typedef {object} Stage
 * @property {Page} page
 * @property {Panel} panel
 * @property {Awaited<ReturnType<typeof startClaude>>} claude
 * @property {() => Promise<void>} restore restores the original contents of the sample's files
 */

/**
 * @param {{ width: number, height: number }} size of the window
 * @param {(stage: Stage) => Promise<void>} play
 */
export async function onStage(size, play) {
  // The folder's path appears in the pictures.
  const folder = await mkdtemp(path.join(os.tmpdir(), 'harness-'));
  const workspace = await makeSampleWorkspace(path.join(folder, 'date-tools'));
  const restore = () => cp(inRepository('scripts', 'sample-workspace'), workspace, { recursive: true });
  const claude = await startClaude();
  const env = { ANTHROPIC_BASE_URL: claude.url, ANTHROPIC_API_KEY: '' };
  const vscode = await startWorkbench({ name: 'pictures', workspace, settings, env });
  const { page, close } = await openWorkbench(vscode.url, size);
  try {
    // code-server has no TypeScript server, and its notification would cover the picture.
    await page.addStyleTag({ content: '.notifications-toasts { display: none !important; }' });
    await play({ page, panel: await openHarnessPanel(page), claude, restore });
  } catch (error) {
    const picture = inRepository('out', 'pictures-failure.png');
    await page.screenshot({ path: picture });
    throw new Error(
      `A picture could not be taken. ${/** @type {Error} */ (error).message}\nThe window when it failed: ${picture}\n${await vscode.quoteLogs()}`,
      { cause: error },
    );
  } finally {
    await close();
    await vscode.stop();
    await claude.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {Page} page */
export async function setApiKey(page) {
  await runCommand(page, 'Harness: Set API Key');
  await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: 'Anthropic' }).waitFor();
  await page.keyboard.press('Enter');
  const box = page.locator('.quick-input-widget input[type="password"]');
  await box.fill(apiKey);
  await page.keyboard.press('Enter');
  await box.waitFor({ state: 'hidden' });
}

/** @param {Stage} stage */
export async function newSession({ page, panel }) {
  await runCommand(page, 'Harness: New Session');
  await panel.locator('[data-part="user"]').first().waitFor({ state: 'detached' });
}

/** @param {Panel} panel */
export const inputOf = (panel) => panel.locator('textarea[aria-label="Ask Harness"]');

/** Sends a prompt; resolves when its run has begun. @param {Panel} panel @param {string} prompt */
export async function ask(panel, prompt) {
  await inputOf(panel).fill(prompt);
  await send(panel);
}

/** Sends the text in the input. @param {Panel} panel */
export async function send(panel) {
  const begun = stopOf(panel).waitFor();
  await inputOf(panel).press('Enter');
  await begun;
}

/** @param {Panel} panel */
const stopOf = (panel) => panel.locator('[aria-label="Stop"]');

/** The card of the first approval, as soon as there is one. @param {Panel} panel */
export async function approvalOf(panel) {
  const card = panel.locator('[data-part="permission"]').first();
  await card.waitFor({ timeout: runMilliseconds });
  return card;
}

/** @param {Panel} panel @param {'Allow once' | 'Always allow' | 'Deny'} choice */
export async function answer(panel, choice) {
  const id = await (await approvalOf(panel)).getAttribute('data-part-id');
  const card = panel.locator(`[data-part="permission"][data-part-id="${id}"]`);
  await card.getByRole('button', { name: choice }).click();
  await card.waitFor({ state: 'detached' });
}

/** Resolves when the run is over. @param {Panel} panel */
export async function rests(panel) {
  await stopOf(panel).waitFor({ state: 'detached', timeout: runMilliseconds });
}

/** Allows all requests until the run is over. @param {Panel} panel */
export async function allowUntilRest(panel) {
  const card = panel.locator('[data-part="permission"]').first();
  const asked = async () =>
    await Promise.race([
      rests(panel).then(() => false),
      card.waitFor({ timeout: runMilliseconds }).then(() => true),
    ]);
  while (await asked()) await answer(panel, 'Allow once');
}
