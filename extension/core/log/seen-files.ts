// What the model last saw of each file, so that an edit is refused when somebody else changed it meanwhile.
import type { SessionEvent } from '../../protocol/events.ts';

/** Texts are kept up to so many characters in all; beyond, only the versions of the oldest. */
const MAX_TEXT = 20_000_000;

export class SeenFilesFold implements SeenFiles {
  readonly #files = new Map<string, SeenFile>();
  #textSize = 0;

  get(path: string): SeenFile | undefined {
    return this.#files.get(path);
  }

  /** Absolute, of all that was read or written. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  set(path: string, file: SeenFile): void {
    this.#textSize += (file.text?.length ?? 0) - (this.#files.get(path)?.text?.length ?? 0);
    this.#files.delete(path);
    this.#files.set(path, file);
    this.#shrink();
  }

  /** The log keeps the versions alone; how much of a file an earlier process showed is not in it. */
  apply(event: SessionEvent): void {
    if (event.type === 'compaction') this.#forgetTexts();
    if (event.type !== 'tool_result') return;
    for (const [path, version] of Object.entries(event.seen ?? {})) {
      if (this.#files.get(path)?.version !== version) this.set(path, { version, inPart: true });
    }
  }

  /** A summary may hold a part of each file at most. */
  #forgetTexts(): void {
    for (const [path, { version }] of this.#files) this.#files.set(path, { version, inPart: true });
    this.#textSize = 0;
  }

  #shrink(): void {
    for (const [path, file] of this.#files) {
      if (this.#textSize <= MAX_TEXT) return;
      this.#textSize -= file.text?.length ?? 0;
      this.#files.set(path, { ...file, text: undefined });
    }
  }
}

/** A file as the model knows it. */
export interface SeenFile {
  readonly version: string;
  /** Of a small file only, to show what changed since. */
  readonly text?: string | undefined;
  /** It may have been shown a part of this version only: lines of it, or a result that was cut. */
  readonly inPart?: true | undefined;
}

/** What the model last saw of each file, by absolute path. */
export interface SeenFiles {
  get(path: string): SeenFile | undefined;
}
