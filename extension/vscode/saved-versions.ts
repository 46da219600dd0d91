/** Remembered, the newest. */
const MAX_VERSIONS = 1000;

/** What saving has made of the texts that we wrote: VS Code may format, trim or end a file with a line feed. */
export class SavedVersions {
  readonly #saved = new Map<string, string>();

  /** What was written as version `written` of the file was saved as version `saved`. */
  note(path: string, written: string, saved: string): void {
    if (written === saved) return;
    this.#saved.set(keyOf(path, written), saved);
    const [oldest] = this.#saved.keys();
    if (this.#saved.size > MAX_VERSIONS && oldest) this.#saved.delete(oldest);
  }

  /** Undefined where it was saved as it was written, or is not known. */
  find(path: string, written: string): string | undefined {
    return this.#saved.get(keyOf(path, written));
  }
}

function keyOf(path: string, version: string): string {
  return `${version} ${path}`;
}
