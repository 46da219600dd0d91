// node scripts/run.mjs scripts/screenshots.mjs: the README's pictures, taken from the real product.
import { mkdir } from 'node:fs/promises';
import { openFile, resizeSideBar, screenshotPanel, setTheme } from '../test/support/vscode/browser.mjs';
import { main } from './lib/main.mjs';
import { inRepository } from './lib/paths.mjs';
import { packageIfStale } from './lib/vsix.mjs';
import { playDemo } from './start/demo-session.mjs';

/** @type {import('../test/support/vscode/browser.mjs').Theme[]} */
const themes = ['dark', 'light', 'highContrast'];
const widths = { wide: 420, narrow: 250 };

/** @param {string} name */
const picture = (name) => inRepository('media', 'screenshots', `${name}.png`);

await main(async () => {
  await packageIfStale();
  await mkdir(inRepository('media', 'screenshots'), { recursive: true });
  await playDemo({
    folder: inRepository('out', 'screenshots'),
    prompt: 'Make the date tests pass',
    atMoment,
  });
  console.log('Pictures are in media/screenshots.');
});

/** @type {Parameters<typeof playDemo>[0]['atMoment']} */
async function atMoment(moment, page) {
  if (moment === 'start') return await resizeSideBar(page, widths.wide);
  if (moment === 'approval') return await screenshotPanel(page, picture('approval'));
  await openFile(page, 'date.js');
  await page.screenshot({ path: picture('window') });
  for (const theme of themes) {
    await setTheme(page, theme);
    for (const [name, width] of Object.entries(widths)) {
      await resizeSideBar(page, width);
      await screenshotPanel(page, picture(`panel-${theme}-${name}`));
    }
  }
}
