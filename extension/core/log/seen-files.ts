// What the model last saw of each file, so that Harness refuses an edit if the file changed in the meantime.
import type { SessionEvent } from '../../protocol/events.ts';

/** Characters of all stored texts. Beyond this, only the versions of the oldest files stay. */
const MAX_TEXT = 20_000_000;

export class SeenFilesFold implements SeenFiles {
  readonly #files = new Map<string, SeenFile>();
  #textSize = 0;

  get(path: string): SeenFile | undefined {
    return this.#files.get(path);
  }

  /** Absolute paths of all files that were read or written. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  set(path: string, file: SeenFile): void {
    this.#textSize += (file.text?.length ?? 0) - (this.#files.get(path)?.text?.length ?? 0);
    this.#files.delete(path);
    this.#files.set(path, file);
    this.#shrink();
  }

  /** The log has only the versions. It does not say how much of a file an earlier process showed. */
  apply(event: SessionEvent): void {
    if (event.type === 'compaction') this.#forgetTexts();
    if (event.type !== 'tool_result') return;
    for (const [path, version] of Object.entries(event.seen ?? {})) {
      if (this.#files.get(path)?.version !== version) this.set(path, { version, inPart: true });
    }
  }

  /** A summary holds at most a part of each file. */
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
  /** Present only for a small file, to show what has changed since. */
  readonly text?: string | undefined;
  /** The model may have seen only a part of this version: some lines, or a cut result. */
  readonly inPart?: true | undefined;
}

/** What the model last saw of each file, by absolute path. */
export interface SeenFiles {
  get(path: string): SeenFile | undefined;
}
