// node scripts/run.mjs scripts/screenshots.mjs: takes pictures of the real product in a real VS Code. Writes
// every scene in every theme, in a wide and in a narrow side bar, to out/screenshots, and the README's
// pictures to media/screenshots.
import { copyFile, mkdir, rm } from 'node:fs/promises';
import { main } from './lib/main.mjs';
import { inRepository } from './lib/paths.mjs';
import { resizeSideBar, screenshotPanel, setTheme } from './lib/vscode/browser.mjs';
import { packageIfStale } from './lib/vsix.mjs';
import { scenes } from './pictures/scenes.mjs';
import { onStage } from './pictures/stage.mjs';

/** @type {Record<import('./lib/vscode/browser.mjs').Theme, string>} */
const themes = {
  light: 'light',
  highContrast: 'high-contrast',
  highContrastLight: 'high-contrast-light',
  dark: 'dark',
};
const widths = { wide: 420, narrow: 250 };

/** The pictures that the README shows. */
const shown = ['approval-dark', 'long-run-dark', 'errors-high-contrast', 'changes-window', 'past-dark'];

/** @param {string} name */
const picture = (name) => inRepository('out', 'screenshots', `${name}.png`);

await main(async () => {
  await packageIfStale();
  await rm(inRepository('out', 'screenshots'), { recursive: true, force: true });
  await mkdir(inRepository('out', 'screenshots'), { recursive: true });
  await onStage({ width: 1280, height: 800 }, async (stage) => {
    for (const [name, scene] of Object.entries(scenes)) {
      await scene(stage, {
        panel: (suffix = '') => pictureInThemes(stage.page, `${name}${suffix}`),
        window: (suffix) =>
          stage.page.screenshot({ path: picture(`${name}-${suffix}`), animations: 'disabled' }),
      });
      console.log(`Scene: ${name}`);
    }
  });
  await mkdir(inRepository('media', 'screenshots'), { recursive: true });
  for (const name of shown)
    await copyFile(picture(name), inRepository('media', 'screenshots', `${name}.png`));
  console.log('The pictures are in out/screenshots, those of the README in media/screenshots.');
});

/** @param {import('playwright-core').Page} page @param {string} scene */
async function pictureInThemes(page, scene) {
  for (const [theme, name] of Object.entries(themes)) {
    await setTheme(page, /** @type {keyof typeof themes} */ (theme));
    await resizeSideBar(page, widths.narrow);
    await screenshotPanel(page, picture(`${scene}-${name}-narrow`));
    await resizeSideBar(page, widths.wide);
    await screenshotPanel(page, picture(`${scene}-${name}`));
  }
}
