import type { Bench } from '../lib/bench.ts';
import { type Row, rowOf } from '../lib/report.ts';

/** The size of the package, as a share of its limit. */
export async function sizes({ measures }: Bench): Promise<readonly Row[]> {
  return measures.map(({ what, value, limit, unit }) => {
    const figure = `size: ${what}`;
    return rowOf({ figure, unit, limit: 1 }, value, limit);
  });
}
