import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';

const LIMIT = 3_500;

/** Estimates the tokens of the system prompt and the tools, for each provider. */
export async function tokens(bench: Bench): Promise<readonly Row[]> {
  const program = await bundleProgram('tokens', bench.folder);
  const counts = await runProgram<Readonly<Record<string, number>>>(program, []);
  return Object.entries(counts).map(([name, count]) => {
    const limit = name === 'anthropic' ? { limit: 1 } : {};
    return rowOf({ figure: `tokens of prompt and tools: ${name}`, unit: 'tokens', ...limit }, count, LIMIT);
  });
}
