import type { FileState, SessionEvent } from '../../protocol/events.ts';
import { hashOfKept } from './named-blobs.ts';

/** Absolute paths of files that these events have something of. */
export interface NamedFiles {
  /** Versions of them are kept. */
  readonly kept: readonly string[];
  /** They were read, and not changed: what was read stands in a result, and in the recording. */
  readonly read: readonly string[];
}

/** What a session's events have of files, by their paths. */
export class FilesNamed {
  readonly #kept = new Set<string>();
  readonly #read = new Set<string>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_result') for (const path of Object.keys(event.seen ?? {})) this.#read.add(path);
    if (event.type === 'checkpoint') for (const { path, state } of event.files) this.#keep(path, state);
    if (event.type !== 'files_changed') return;
    for (const { path, before, after } of event.changes) this.#keep(path, before, after);
  }

  /** In the order of their paths. */
  get names(): NamedFiles {
    const kept = [...this.#kept].sort();
    return { kept, read: [...this.#read].filter((path) => !this.#kept.has(path)).sort() };
  }

  #keep(path: string, ...states: readonly FileState[]): void {
    if (states.some((state) => hashOfKept(state) !== undefined)) this.#kept.add(path);
  }
}
