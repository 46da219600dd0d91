import type { Bench } from '../lib/bench.ts';
import { startModelServer } from '../lib/model-server.ts';
import { type Row, rowOfPairs } from '../lib/report.ts';
import { bundleProgram, runProgram } from '../lib/run-program.ts';
import type { AdapterTimes } from '../programs/adapters.ts';
import type { Pairs } from '../programs/timing.ts';

const ROUNDS = 9;

/** Measures what each provider's adapter adds to reading a reply. */
export async function adapters(bench: Bench): Promise<readonly Row[]> {
  const program = await bundleProgram('adapters', bench.folder);
  const server = await startModelServer('reply-server');
  const args = [server.url, String(bench.rounds(ROUNDS))];
  const times = await runProgram<Readonly<Record<string, AdapterTimes>>>(program, args);
  await server.stop();
  return Object.entries(times).flatMap(([protocol, measured]) => rowsOf(protocol, measured));
}

function rowsOf(protocol: string, { overhead, growth }: AdapterTimes): Row[] {
  const row = (what: string, limit: number, { ours, reference }: Pairs) =>
    rowOfPairs({ figure: `adapters: ${protocol}, ${what}`, unit: 'ms', limit }, ours, reference);
  return [
    row('a reply of 100,000 pieces, beside a bare loop', 2, overhead),
    row('the same, beside ten replies of 10,000', 1.2, growth),
  ];
}
