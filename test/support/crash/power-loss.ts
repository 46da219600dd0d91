// A disk that loses power: what was synced is there, of the rest anything may be. Names are kept in the order in which they
// were made, as a journal keeps them; bytes are dropped, torn, or there before earlier ones.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileOperation, watchFiles } from '../files.ts';

type Step =
  /** `id`: of the file, which may have several names. */
  | { readonly kind: 'name'; readonly path: string; readonly id: number }
  | { readonly kind: 'unname'; readonly path: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'bytes'; readonly id: number; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'cut'; readonly id: number; readonly size: number }
  | { readonly kind: 'synced'; readonly id: number }
  | { readonly kind: 'names synced' };

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
      this.steps.push({ kind: 'synced', id }, { kind: 'names synced' });
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
        if (result !== undefined || args[1] === undefined || typeof args[1] === 'number')
          this.#addFolder(path);
        break;
      case 'open':
        this.#open(path, String(args[1] ?? 'r'));
        break;
      case 'writeFile':
        await this.#rewrite(path);
        break;
      case 'copyFile':
        await this.#rewrite(String(args[1]));
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
      case 'unlink':
        if (this.#ids.delete(path)) this.steps.push({ kind: 'unname', path });
    }
  }

  #addFolder(path: string): void {
    if (this.#folders.has(path)) return;
    this.#folders.add(path);
    this.steps.push({ kind: 'folder', path });
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

  /** All of it at once; ours are all flushed. */
  async #rewrite(path: string): Promise<void> {
    const id = this.#ids.get(path) ?? this.#create(path);
    this.#write(id, 0, await readFile(path));
    this.steps.push({ kind: 'synced', id });
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
    this.steps.push(id === undefined ? { kind: 'names synced' } : { kind: 'synced', id });
  }

  #rename(from: string, to: string, isMoved: boolean): void {
    const id = this.#ids.get(from);
    if (id === undefined) return;
    this.#ids.set(to, id);
    this.steps.push({ kind: 'name', path: to, id });
    if (!isMoved) return;
    this.#ids.delete(from);
    this.steps.push({ kind: 'unname', path: from });
  }
}

/** Puts below `folder` what may be there when the power went after these steps. */
export async function losePower(folder: string, steps: readonly Step[], random: () => number): Promise<void> {
  await rm(folder, { recursive: true });
  await mkdir(folder);
  const { names, folders } = namesAfter(steps, random);
  for (const path of folders) await mkdir(path, { recursive: true });
  for (const [path, id] of names) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, contentAfter(steps, id, random));
  }
}

function namesAfter(steps: readonly Step[], random: () => number) {
  const safe = steps.findLastIndex(({ kind }) => kind === 'names synced') + 1;
  const kept = safe + Math.floor(random() * (steps.length - safe + 1));
  const names = new Map<string, number>();
  const folders: string[] = [];
  for (const [index, step] of steps.slice(0, kept).entries()) {
    // The two halves of a rename are one.
    if (step.kind === 'name') names.set(step.path, step.id);
    else if (step.kind === 'folder') folders.push(step.path);
    else if (step.kind === 'unname') names.delete(step.path);
    const next = steps[index + 1];
    if (index === kept - 1 && step.kind === 'name' && next?.kind === 'unname') names.delete(next.path);
  }
  return { names, folders };
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
