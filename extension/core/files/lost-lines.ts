import { decodeText } from '../tools/text-file.ts';
import type { Changed } from './heirs.ts';
import { bytesOf, type Content, lookAt } from './look-at.ts';
import type { PlannedRestore, RestorePorts } from './plan-restore.ts';

/**
 * Which of `others`, by their paths, would lose lines that calls have taken out of a file of `missing`, which does not get
 * them back; each with the path of that.
 */
export async function withLinesOf(
  missing: readonly PlannedRestore[],
  others: readonly PlannedRestore[],
  changed: Changed,
  ports: RestorePorts,
): Promise<ReadonlyMap<string, string>> {
  const lost = new Map<string, string>();
  const holders = new Map<string, string>();
  if (others.length === 0) return holders;
  for (const one of missing) for (const line of await takenOut(one, changed, ports)) lost.set(line, one.path);
  if (lost.size === 0) return holders;
  for (const one of others) {
    const left = await linesIn({ state: one.then, ...(one.step.kind === 'merge' && one.step) }, ports);
    const held = [...(await linesNow(one, ports))].find((line) => lost.has(line) && !left.has(line));
    if (held !== undefined) holders.set(one.path, lost.get(held) ?? one.path);
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
