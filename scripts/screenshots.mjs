// node scripts/run.mjs scripts/screenshots.mjs: the README's pictures, taken from the real product.
import { mkdir } from 'node:fs/promises';
import { main } from './lib/main.mjs';
import { inRepository } from './lib/paths.mjs';
import { resizeSideBar, screenshotPanel, setTheme } from './lib/vscode/browser.mjs';
import { packageIfStale } from './lib/vsix.mjs';
import { playDemo } from './start/demo-session.mjs';

/** @type {Record<import('./lib/vscode/browser.mjs').Theme, string>} */
const themes = {
  light: 'light',
  highContrast: 'high-contrast',
  highContrastLight: 'high-contrast-light',
  dark: 'dark',
};
const widths = { wide: 420, narrow: 250 };

/** @param {string} name */
const picture = (name) => inRepository('media', 'screenshots', `${name}.png`);

await main(async () => {
  await packageIfStale();
  await mkdir(inRepository('media', 'screenshots'), { recursive: true });
  // In a temporary workspace: its path is in the pictures.
  const folder = inRepository('out', 'screenshots');
  await playDemo({ folder, prompt: 'Make the date tests pass', atMoment });
  console.log('The pictures are in media/screenshots.');
});

/** @type {import('./start/demo-session.mjs').AtMoment} */
async function atMoment(moment, page, panel) {
  if (moment === 'start') await resizeSideBar(page, widths.wide);
  if (moment === 'end') await screenshotPanel(page, picture('panel-done'));
  if (
    moment === 'approval' &&
    (await panel.locator('[data-tool="edit"][data-state="pending"]').count()) > 0
  ) {
    await pictureApproval(page);
  }
}

/** A card that asks before a file changes: in every theme, in a wide and in a narrow side bar. @param {import('playwright-core').Page} page */
async function pictureApproval(page) {
  for (const [theme, name] of Object.entries(themes)) {
    await setTheme(page, /** @type {keyof typeof themes} */ (theme));
    await resizeSideBar(page, widths.narrow);
    await screenshotPanel(page, picture(`panel-${name}-narrow`));
    await resizeSideBar(page, widths.wide);
    await screenshotPanel(page, picture(`panel-${name}`));
  }
  await page.screenshot({ path: picture('window'), animations: 'disabled' });
}
