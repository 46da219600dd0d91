import type { FileState } from '../../../protocol/events.ts';
import { isKept, readState, storedBytesOf } from '../current-state.ts';
import type { Changed } from '../file-history.ts';
import { hasSameBytes } from '../file-state.ts';
import { LineHolder, type LineSet, LineSets, lineSetOf } from '../line-sets.ts';
import { isOverwritten } from './kept-paths.ts';
import type { PlannedRestore, RestorePorts } from './types.ts';

const NOTHING: LineSet = new Set();

/** What is known of the contents of a plan, above all the lines that are lost where files do not become again what they were. */
export class LostLines {
  readonly #plan: readonly PlannedRestore[];
  readonly #changed: Changed;
  readonly #ports: RestorePorts;
  readonly #sets = new LineSets();
  readonly #asked = new Set<string>();
  readonly #kept = new Map<string, boolean>();
  #holders: Map<string, LineHolder[]> | undefined;

  constructor(plan: readonly PlannedRestore[], changed: Changed, ports: RestorePorts) {
    this.#plan = plan;
    this.#changed = changed;
    this.#ports = ports;
  }

  /** What it was can be had again. */
  async isKept({ path, then, step }: PlannedRestore): Promise<boolean> {
    const known = this.#kept.get(path) ?? (step.kind !== 'unkept' && (await isKept(then, this.#ports.blobs)));
    this.#kept.set(path, known);
    return known;
  }

  /** What lies there is a file, and no text that can be compared by its lines. */
  async areUnknown(planned: PlannedRestore): Promise<boolean> {
    return planned.now.kind === 'file' && (await this.#linesNow(planned)) === undefined;
  }

  /**
   * The paths that would lose lines that calls have taken out of `missing`, which does not get them back: one that says
   * something, or as many others as make up half of the file.
   */
  async holdersOf(missing: PlannedRestore): Promise<readonly string[]> {
    if (this.#asked.has(missing.path)) return [];
    this.#asked.add(missing.path);
    const lost = await this.#takenOut(missing);
    if (lost.length === 0) return [];
    this.#holders ??= await this.#holdersOfLines();
    const told: string[] = [];
    for (const line of lost) {
      for (const holder of this.#holders.get(line) ?? []) if (holder.holds(line)) told.push(holder.path);
      this.#holders.delete(line);
    }
    return told;
  }

  /** Of each line that is overwritten or taken away, who holds it now and not afterwards. */
  async #holdersOfLines(): Promise<Map<string, LineHolder[]>> {
    const holders = new Map<string, LineHolder[]>();
    for (const planned of this.#plan.filter(isOverwritten)) {
      const { path, then, step } = planned;
      const now = (await this.#linesNow(planned)) ?? NOTHING;
      const left = await (step.kind === 'merge' ? lineSetOf(step.bytes) : this.#linesOf(then));
      const holder = new LineHolder(path, now.size);
      for (const line of now) {
        if (left?.has(line)) continue;
        const others = holders.get(line);
        if (others) others.push(holder);
        else holders.set(line, [holder]);
      }
    }
    return holders;
  }

  /** The lines of then that the calls have not left, and the user has not put back. */
  async #takenOut(planned: PlannedRestore): Promise<readonly string[]> {
    const left = this.#changed.get(planned.path)?.at(-1)?.after ?? planned.now;
    const then = (await this.#linesOf(planned.then)) ?? NOTHING;
    const others = [await this.#linesOf(left), await this.#linesNow(planned)];
    return [...then].filter((line) => !others.some((lines) => lines?.has(line)));
  }

  #linesOf(state: FileState): Promise<LineSet | undefined> {
    return this.#sets.of(state, () => storedBytesOf({ state }, this.#ports.blobs));
  }

  #linesNow({ path, now }: PlannedRestore): Promise<LineSet | undefined> {
    return this.#sets.of(now, async () => {
      const { state, bytes } = await readState(this.#ports.files, path);
      return hasSameBytes(state, now) ? bytes : undefined;
    });
  }
}
