// npm run check: types and lint, in a few seconds.
import { main } from './lib/main.mjs';
import { runStages } from './lib/stages.mjs';

await main(() => runStages(['types', 'lint']));
