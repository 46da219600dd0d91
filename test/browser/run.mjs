// Runs test/browser: the packaged extension in the workbench, driven in headless Chromium.
// node scripts/run.mjs test/browser/run.mjs [ARGUMENTS OF VITEST, such as part of a file name]
import { chromium } from '../../scripts/lib/chromium.mjs';
import { main } from '../../scripts/lib/main.mjs';
import { inRepository, pinnedNode, repository } from '../../scripts/lib/paths.mjs';
import { exitCodeOf, startProcess } from '../../scripts/lib/process-tree.mjs';
import { vitestArguments } from '../../scripts/lib/stages.mjs';
import { packageIfStale } from '../../scripts/lib/vsix.mjs';

await main(async () => {
  // Once, before several ask for it at the same time.
  await chromium();
  await packageIfStale();
  const config = inRepository('test', 'browser', 'vitest.config.mjs');
  const args = [...vitestArguments('browser'), '--config', config, ...process.argv.slice(2)];
  const vitest = await startProcess(pinnedNode, args, { cwd: repository });
  return exitCodeOf(await vitest.exited);
});
