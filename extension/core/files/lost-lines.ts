import { decodeText } from '../tools/text-file.ts';
import type { Changed } from './heirs.ts';
import { bytesOf, type Content, lookAt } from './look-at.ts';
import type { PlannedRestore, RestorePorts } from './plan-restore.ts';
import { isOverwritten } from './staying.ts';

/** The lines that are lost where files do not become again what they were. Each file is read once at most. */
export class LostLines {
  readonly #plan: readonly PlannedRestore[];
  readonly #changed: Changed;
  readonly #ports: RestorePorts;
  readonly #asked = new Set<string>();
  #holders: Map<string, string[]> | undefined;

  constructor(plan: readonly PlannedRestore[], changed: Changed, ports: RestorePorts) {
    this.#plan = plan;
    this.#changed = changed;
    this.#ports = ports;
  }

  /**
   * The paths that would lose lines that calls have taken out of `missing`, which does not get them back; but for those
   * that were told of such a line before.
   */
  async holdersOf(missing: PlannedRestore): Promise<readonly string[]> {
    if (this.#asked.has(missing.path)) return [];
    this.#asked.add(missing.path);
    const lost = await takenOut(missing, this.#changed, this.#ports);
    if (lost.length === 0) return [];
    this.#holders ??= await holdersIn(this.#plan, this.#ports);
    const paths: string[] = [];
    for (const line of lost) {
      for (const path of this.#holders.get(line) ?? []) paths.push(path);
      this.#holders.delete(line);
    }
    return paths;
  }
}

/** Of each line that is overwritten or taken away, the paths that hold it now and not afterwards. */
async function holdersIn(
  plan: readonly PlannedRestore[],
  ports: RestorePorts,
): Promise<Map<string, string[]>> {
  const holders = new Map<string, string[]>();
  for (const one of plan.filter(isOverwritten)) {
    const left = await linesIn({ state: one.then, ...(one.step.kind === 'merge' && one.step) }, ports);
    for (const line of await linesNow(one, ports)) {
      if (left.has(line)) continue;
      const paths = holders.get(line);
      if (paths) paths.push(one.path);
      else holders.set(line, [one.path]);
    }
  }
  return holders;
}

/** The lines of then that the calls have not left, and the user has not put back. */
async function takenOut(
  planned: PlannedRestore,
  changed: Changed,
  ports: RestorePorts,
): Promise<readonly string[]> {
  const left = changed.get(planned.path)?.at(-1)?.after ?? planned.now;
  const then = await linesIn({ state: planned.then }, ports);
  const others = [await linesIn({ state: left }, ports), await linesNow(planned, ports)];
  return [...then].filter((line) => !others.some((lines) => lines.has(line)));
}

async function linesNow({ path, now }: PlannedRestore, ports: RestorePorts): Promise<ReadonlySet<string>> {
  return now.kind === 'file' ? linesIn(await lookAt(ports.files, path), ports) : new Set();
}

/** Those that say anything, without what they are indented by. None of what is no text, or not kept. */
async function linesIn(content: Content, { blobs }: RestorePorts): Promise<ReadonlySet<string>> {
  const bytes = await bytesOf(content, blobs);
  const lines = (bytes && decodeText(bytes)?.text.split('\n')) ?? [];
  return new Set(lines.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line)));
}
