// npm run check: types, lint and unused code, in a few seconds.
import { main } from './lib/main.mjs';
import { runStages } from './lib/stages.mjs';

await main(() => runStages(['types', 'lint', 'unused']));
