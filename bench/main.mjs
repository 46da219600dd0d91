// npm run bench [-- --only loop,activation] [-- --quick]: measures Harness beside bare references.
import { parseArgs } from 'node:util';
import { main } from '../scripts/lib/main.mjs';
import { runBench } from './run.ts';

await main(() => {
  const options = { only: { type: 'string' }, quick: { type: 'boolean', default: false } };
  const { only, quick } = parseArgs({ options }).values;
  return runBench(only?.split(','), quick);
});
