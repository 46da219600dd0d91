// npm run bench [-- --only loop,activation] [-- --quick]: measures Harness beside bare references.
import { parseArgs } from 'node:util';
import { main } from '../scripts/lib/main.mjs';
import { runBench } from './run.ts';

await main(() => {
  const { only, quick } = parseArgs({
    options: { only: { type: 'string' }, quick: { type: 'boolean', default: false } },
  }).values;
  return runBench(only?.split(','), quick);
});
