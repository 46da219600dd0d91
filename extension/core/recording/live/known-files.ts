import type { Entry as FileEntry } from '../../ports/file-tree.ts';
import type { ShellCommand } from '../../ports/shell.ts';
import type { Change, FileContent, FileStat } from '../../ports/workspace.ts';
import type { ScannedChanges } from '../../ports/workspace-scan.ts';
import type { Watch } from '../replay/playback.ts';

/** A path as it was when the session began, as far as it was looked at. */
export interface KnownFile {
  readonly kind: 'absent' | 'file' | 'link' | 'directory' | 'special';
  readonly mode?: number | undefined;
  /** Of a file; undefined where it was never read. */
  readonly bytes?: Uint8Array | undefined;
  /** Of a link. */
  readonly target?: string | undefined;
}

/** Gathers from what the ports of a recorded session gave how its files were before it changed them, and what it ran. */
export class KnownFiles implements Watch {
  /** By absolute path. */
  readonly files = new Map<string, KnownFile>();
  readonly commands = new Set<string>();
  /** Paths that its tools changed. */
  readonly written = new Set<string>();
  /** Changed by the session: what is found there from then on was not there in the beginning. */
  readonly #changed = new Set<string>();

  /** A command counts as soon as it began: the process may have been killed meanwhile. */
  asked(name: string, given: readonly unknown[]): void {
    // The argument of this port.
    if (name === 'shell.run') this.commands.add((given[0] as ShellCommand).command);
  }

  gave(name: string, given: readonly unknown[], value: unknown): void {
    // The arguments and results of the ports of these names, as `bound-ports.ts` has them.
    const path = given[0] as string;
    switch (name) {
      case 'workspace.read':
        this.#read(path, (value as FileContent | undefined)?.bytes);
        break;
      case 'files.read':
        this.#read(path, value as Uint8Array | undefined);
        break;
      case 'workspace.stat':
        this.#add(path, { kind: kindOf(value as FileStat | undefined) });
        break;
      case 'files.look':
        this.#add(path, value as FileEntry | undefined);
        break;
      case 'workspace.apply':
        this.#change(pathsOf(given[0] as Change));
        break;
      case 'files.write':
      case 'files.link':
      case 'files.makeDirectory':
      case 'files.setMode':
      case 'files.remove':
        this.#change([path]);
        break;
      case 'scan.end':
        this.#scanned(value as ScannedChanges | undefined);
        break;
      case 'scan.bytes':
        this.#scannedBytes(given, value as Uint8Array | undefined);
        break;
    }
  }

  #read(path: string, bytes: Uint8Array | undefined): void {
    if (bytes) this.#add(path, { kind: 'file', bytes });
  }

  #add(path: string, found: KnownFile | undefined): void {
    if (!found || this.#changed.has(path)) return;
    const known = this.files.get(path);
    if (!known || known.kind === found.kind) this.files.set(path, { ...known, ...found });
  }

  #change(paths: readonly string[]): void {
    for (const path of paths) {
      this.#changed.add(path);
      this.written.add(path);
    }
  }

  #scanned(found: ScannedChanges | undefined): void {
    for (const { path, before } of found?.changes ?? []) {
      const { bytes: _askedApart, ...entry } = before;
      this.#add(path, entry);
      this.#changed.add(path);
    }
  }

  #scannedBytes([path, side]: readonly unknown[], bytes: Uint8Array | undefined): void {
    const known = this.files.get(String(path));
    if (side === 'before' && bytes && known?.kind === 'file' && !known.bytes)
      this.files.set(String(path), { ...known, bytes });
  }
}

function kindOf(stat: FileStat | undefined): KnownFile['kind'] {
  if (!stat) return 'absent';
  return stat.type === 'other' ? 'special' : stat.type;
}

function pathsOf(change: Change): readonly string[] {
  return change.kind === 'move' ? [change.source, change.destination] : [change.path];
}
