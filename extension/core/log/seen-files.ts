// What the model last saw of each file, so that Harness refuses an edit if the file changed in the meantime.
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { LineView } from '../rendering/line-view.ts';

/** Characters of all stored texts. Beyond this, only the versions of the oldest files stay. */
const MAX_TEXT = 20_000_000;

export class SeenFilesFold implements SeenFiles {
  readonly #files = new Map<string, SeenFile>();
  #textSize = 0;
  /** Set by this process, which knows more of them than the log. */
  readonly #remembered = new Set<string>();
  /** Files with lines that the model reads with the next request. */
  readonly #unread = new Set<string>();

  get(path: string): SeenFile | undefined {
    return this.#files.get(path);
  }

  /** Absolute paths of all files that were read or written. */
  get paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  remember(path: string, file: SeenFile): void {
    this.#remembered.add(path);
    this.#set(path, file);
  }

  /** The log has no texts. It does not say how much of a file an earlier process showed. */
  apply(event: SessionEvent): void {
    if (event.type === 'compaction') this.#forgetTexts();
    if (event.type === 'request_started') this.#readAll();
    if (event.type === 'tool_result') this.#applyResult(event);
  }

  #applyResult({ seen = {}, lines = {} }: EventOf<'tool_result'>): void {
    for (const [path, version] of Object.entries(seen)) {
      if (this.#remembered.has(path) && this.#files.get(path)?.version === version) continue;
      this.#set(path, { version, inPart: true, view: LineView.fromNumbers(lines[path] ?? []) });
    }
  }

  #set(path: string, file: SeenFile): void {
    const old = this.#files.get(path);
    this.#textSize += (file.text?.length ?? 0) - (old?.text?.length ?? 0);
    this.#files.delete(path);
    this.#files.set(path, { ...file, asRead: this.#unread.has(path) ? old?.asRead : old?.text });
    this.#unread.add(path);
    this.#shrink();
  }

  /** The model reads all results so far. */
  #readAll(): void {
    for (const path of this.#unread) {
      const file = this.#files.get(path);
      if (file) this.#files.set(path, { ...file, asRead: undefined, view: file.view.afterRequest() });
    }
    this.#unread.clear();
  }

  /** A summary holds at most a part of each file. */
  #forgetTexts(): void {
    for (const [path, { version }] of this.#files)
      this.#files.set(path, { version, inPart: true, view: LineView.empty });
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
  /** Present only for a small file: to show what has changed since, and to find its lines in the new text. */
  readonly text?: string | undefined;
  /**
   * The text when the model last read results: what it had before it as it wrote its current reply. Only
   * `SeenFilesFold` sets it.
   */
  readonly asRead?: string | undefined;
  /** The model may have seen only a part of this version: some lines, or a cut result. */
  readonly inPart?: true | undefined;
  /** The lines that the model has read, by the numbers that it read. */
  readonly view: LineView;
}

/** What the model last saw of each file, by absolute path. */
export interface SeenFiles {
  get(path: string): SeenFile | undefined;
}
