// npm test: runs all tests in stages. `npm test -- --only types,unit` runs some of them.
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ensureDependencies } from './bootstrap.mjs';
import { main } from './lib/main.mjs';
import { inRepository } from './lib/paths.mjs';
import { runStages, stageNames } from './lib/stages.mjs';

await main(async () => {
  const { only } = parseArgs({ options: { only: { type: 'string' } } }).values;
  try {
    await ensureDependencies();
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    console.log('\n0 passed, 1 failed');
    return 1;
  }
  for (const folder of ['logs', 'flaky'])
    await rm(inRepository('out', folder), { recursive: true, force: true });
  return await runStages(only ? only.split(',') : stageNames);
});
