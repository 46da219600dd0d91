// A disk that loses power: what was synced is there, of the rest anything may be. Each directory keeps its names in the order
// in which they were made, up to some moment of its own behind its last sync; a rename is there in both of its directories or
// in none. Bytes are dropped, torn, or there before earlier ones.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { NOBODY } from '../crafted-lock.ts';
import { type FileOperation, watchFiles } from '../files.ts';

type Step =
  /** `id`: of the file, which may have several names. `from`: the name that it had until now. */
  | { readonly kind: 'name'; readonly path: string; readonly id: number; readonly from?: string }
  | { readonly kind: 'unname'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'bytes'; readonly id: number; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly id: number; readonly size: number }
  | { readonly kind: 'synced'; readonly id: number }
  /** Of what lies in this folder. */
  | { readonly kind: 'names synced'; readonly path: string };

/** Notes what happens to the files below a folder. */
export class DiskRecord {
  readonly steps: Step[] = [];
  readonly #ids = new Map<string, number>();
  readonly #sizes = new Map<number, number>();
  readonly #folders = new Set<string>();
  /** Until this is called. */
  readonly stop: () => void;

  /** `onStep` is told before what happens is noted. */
  constructor(
    folder: string,
    files: Readonly<Record<string, string>>,
    onStep: (operation: FileOperation) => void,
  ) {
    for (const [path, content] of Object.entries(files)) {
      const id = this.#create(path);
      this.#write(id, 0, Buffer.from(content));
      this.steps.push({ kind: 'synced', id }, { kind: 'names synced', path: dirname(path) });
    }
    this.stop = watchFiles(folder, async (operation, perform) => {
      onStep(operation);
      const result = await perform();
      await this.#note(operation, result);
      return result;
    });
  }

  async #note({ name, path, args }: FileOperation, result: unknown): Promise<void> {
    switch (name) {
      case 'mkdir':
        this.#addFolders(path, typeof result === 'string' ? result : path);
        break;
      case 'open':
        this.#open(path, String(args[1] ?? 'r'));
        break;
      case 'writeFile':
        await this.#rewrite(path, isFlushed(args[2]));
        break;
      case 'copyFile':
        await this.#rewrite(String(args[1]), false);
        break;
      case 'handle.write':
      case 'handle.writeFile':
        this.#append(path, args[0] as Uint8Array, args[1]);
        break;
      case 'handle.truncate':
        this.#cut(path, Number(args[0]));
        break;
      case 'handle.sync':
      case 'handle.datasync':
        this.#sync(path);
        break;
      case 'rename':
      case 'link':
        this.#rename(path, String(args[1]), name === 'rename');
        break;
      case 'rm':
      case 'rmdir':
      case 'unlink':
        this.#remove(path);
    }
  }

  /** From the outermost one that was not there. */
  #addFolders(path: string, first: string): void {
    if (this.#folders.has(path)) return;
    if (path !== first) this.#addFolders(dirname(path), first);
    this.#folders.add(path);
    this.steps.push({ kind: 'folder', path });
  }

  #remove(path: string): void {
    const below = [...this.#ids.keys(), ...this.#folders].filter((name) => name.startsWith(path + sep));
    for (const name of [...below.sort().reverse(), path]) {
      const isThere = this.#ids.delete(name) || this.#folders.delete(name);
      if (isThere) this.steps.push({ kind: 'unname', path: name });
    }
  }

  #open(path: string, flags: string): void {
    if (flags !== 'r' && !/^\d+$/.test(flags) && !this.#ids.has(path)) this.#create(path);
  }

  #create(path: string): number {
    const id = this.steps.length + 1;
    this.#ids.set(path, id);
    this.#sizes.set(id, 0);
    this.steps.push({ kind: 'name', path, id });
    return id;
  }

  /** All of it at once. */
  async #rewrite(path: string, isSynced: boolean): Promise<void> {
    const id = this.#ids.get(path) ?? this.#create(path);
    this.steps.push({ kind: 'cut', id, size: 0 });
    this.#write(id, 0, await readFile(path));
    if (isSynced) this.steps.push({ kind: 'synced', id });
  }

  #append(path: string, given: Uint8Array, offset: unknown): void {
    const id = this.#ids.get(path);
    const bytes = Buffer.from(given).subarray(typeof offset === 'number' ? offset : 0);
    if (id !== undefined) this.#write(id, this.#sizes.get(id) ?? 0, bytes);
  }

  #write(id: number, at: number, bytes: Buffer): void {
    this.#sizes.set(id, at + bytes.length);
    this.steps.push({ kind: 'bytes', id, at, bytes });
  }

  #cut(path: string, size: number): void {
    const id = this.#ids.get(path);
    if (id === undefined) return;
    this.#sizes.set(id, size);
    this.steps.push({ kind: 'cut', id, size });
  }

  #sync(path: string): void {
    const id = this.#ids.get(path);
    this.steps.push(id === undefined ? { kind: 'names synced', path } : { kind: 'synced', id });
  }

  #rename(from: string, to: string, isMoved: boolean): void {
    const id = this.#ids.get(from);
    if (id === undefined) return;
    this.#ids.set(to, id);
    this.steps.push({ kind: 'name', path: to, id, ...(isMoved && { from }) });
    if (isMoved) this.#ids.delete(from);
  }
}

/** Of the options of `writeFile`. */
function isFlushed(options: unknown): boolean {
  return typeof options === 'object' && options !== null && 'flush' in options && options.flush === true;
}

/**
 * Puts below `folder` what may be there when the power went after these steps. `there`: the folders that were there before
 * the first of them.
 */
export async function losePower(
  folder: string,
  there: readonly string[],
  steps: readonly Step[],
  random: () => number,
): Promise<void> {
  await rm(folder, { recursive: true });
  const { names, folders } = namesAfter(steps, random);
  for (const path of there) folders.add(path);
  for (const path of [...folders].sort()) if (isReached(path, folders, folder)) await mkdir(path);
  for (const [path, id] of names) {
    if (!isReached(path, folders, folder)) continue;
    const content = contentAfter(steps, id, random);
    await writeFile(ofDead(path), ofDead(content.toString('latin1')), 'latin1');
  }
}

/** What lies in a folder that is lost is lost with it. */
function isReached(path: string, folders: ReadonlySet<string>, top: string): boolean {
  if (path === top) return true;
  const parent = dirname(path);
  return folders.has(parent) && isReached(parent, folders, top);
}

function ofDead(text: string): string {
  return text
    .replaceAll(`.harness-${process.pid}-`, `.harness-${NOBODY}-`)
    .replaceAll(`"pid":${process.pid},`, `"pid":${NOBODY},`);
}

function namesAfter(steps: readonly Step[], random: () => number) {
  const moments = lastKept(steps, random);
  const isKept = (index: number, path: string) => index <= (moments.get(dirname(path)) ?? -1);
  const names = new Map<string, number>();
  const folders = new Set<string>();
  for (const [index, step] of steps.entries()) {
    if (!('path' in step) || step.kind === 'names synced') continue;
    const { path } = step;
    const from = step.kind === 'name' ? step.from : undefined;
    if (!isKept(index, path) && !(from !== undefined && isKept(index, from))) continue;
    if (step.kind === 'folder') folders.add(path);
    else if (step.kind === 'name') names.set(path, step.id);
    else if (!names.delete(path)) folders.delete(path);
    if (from !== undefined) names.delete(from);
  }
  return { names, folders };
}

/** Up to which step each directory has kept its names: no earlier than its last sync. */
function lastKept(steps: readonly Step[], random: () => number): ReadonlyMap<string, number> {
  const synced = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'names synced') synced.set(step.path, index);
    else if ('path' in step && !synced.has(dirname(step.path))) synced.set(dirname(step.path), -1);
  }
  const fate = random();
  const later = (from: number) =>
    fate < 0.2 ? from : fate < 0.4 ? steps.length : from + Math.floor(random() * (steps.length - from));
  return new Map([...synced].map(([folder, from]) => [folder, later(from)]));
}

function contentAfter(steps: readonly Step[], id: number, random: () => number): Buffer {
  const own = steps.map((step) => ('id' in step && step.id === id ? step : undefined));
  const safe = own.findLastIndex((step) => step?.kind === 'synced');
  let content: Buffer = Buffer.alloc(0);
  for (const step of own.slice(0, safe + 1)) content = applied(content, step, 1);
  const fate = random();
  for (const step of own.slice(safe + 1)) {
    // All of it is there, or nothing, or whatever chance wants: a part, with a hole where it is not.
    const share = fate < 0.3 ? 1 : fate < 0.5 ? 0 : random() < 0.5 ? 1 : random();
    content = applied(content, step, share);
  }
  return content;
}

/** `share` of the bytes of the step: what is missing before what is there is zeros. */
function applied(content: Buffer, step: Step | undefined, share: number): Buffer {
  if (step?.kind === 'cut') return content.subarray(0, step.size);
  if (step?.kind !== 'bytes') return Buffer.from(content);
  const bytes = step.bytes.subarray(0, Math.floor(step.bytes.length * share));
  if (bytes.length === 0) return content;
  const grown = Buffer.alloc(Math.max(content.length, step.at + bytes.length));
  content.copy(grown);
  bytes.copy(grown, step.at);
  return grown;
}
