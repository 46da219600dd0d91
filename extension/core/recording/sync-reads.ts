import type { EntryOf, Plain } from './entry.ts';

type Runs = readonly (readonly [value: Plain, times: number])[];

/** Collects synchronous reads between two entries. Counts equal values that were read in a row. */
export class SyncReads {
  #runs: Record<string, [value: Plain, times: number][]> = {};
  #isEmpty = true;

  add(name: string, value: Plain): void {
    this.#isEmpty = false;
    const runs = this.#runs[name] ?? [];
    this.#runs[name] = runs;
    const last = runs.at(-1);
    if (last && isSame(last[0], value)) last[1] += 1;
    else runs.push([value, 1]);
  }

  /** Undefined if nothing was read. */
  take(): EntryOf<'open'>['read'] {
    if (this.#isEmpty) return undefined;
    const runs = this.#runs;
    this.#runs = {};
    this.#isEmpty = true;
    return runs;
  }
}

function isSame(one: Plain, other: Plain): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other));
}

/** Returns recorded reads again, in the recorded order. */
export class ReadAgain {
  readonly #left = new Map<string, { readonly value: Plain; times: number }[]>();

  add(name: string, runs: Runs): void {
    const left = this.#left.get(name) ?? [];
    left.push(...runs.map(([value, times]) => ({ value, times })));
    this.#left.set(name, left);
  }

  /** Undefined if no recorded value is left. */
  next(name: string): { readonly value: Plain } | undefined {
    const left = this.#left.get(name);
    const run = left?.[0];
    if (!run) return undefined;
    run.times -= 1;
    if (run.times === 0) left?.shift();
    return run;
  }
}
