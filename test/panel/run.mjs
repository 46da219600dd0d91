// Runs test/panel: the built page of the panel in headless Chromium, without VS Code around it.
// node scripts/run.mjs test/panel/run.mjs [ARGUMENTS OF VITEST, such as part of a file name]
import { chromium } from '../../scripts/lib/chromium.mjs';
import { main } from '../../scripts/lib/main.mjs';
import { inRepository, pinnedNode, repository } from '../../scripts/lib/paths.mjs';
import { exitCodeOf, startProcess } from '../../scripts/lib/process-tree.mjs';
import { vitestArguments } from '../../scripts/lib/stages.mjs';

await main(async () => {
  // Once, before several ask for it at the same time.
  await chromium();
  const config = inRepository('test', 'panel', 'vitest.config.mjs');
  const args = [...vitestArguments('panel'), '--config', config, ...process.argv.slice(2)];
  const vitest = await startProcess(pinnedNode, args, { cwd: repository });
  return exitCodeOf(await vitest.exited);
});
