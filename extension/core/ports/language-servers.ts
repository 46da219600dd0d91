/** A place in a file's text. Lines and columns count from 1; columns count UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** An error or a warning of an editor. */
export interface EditorProblem extends TextPosition {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  /** What reports it, such as `ts` or `eslint`, and the name of its rule. */
  readonly source?: string | undefined;
  readonly code?: string | undefined;
  /** The text of the line, without white space at its ends. Empty if no editor has the file open. */
  readonly text: string;
}

/** A file of which nobody knows whether it has problems. */
export interface UncheckedFile {
  readonly path: string;
  /** `closed`: no tab shows the file, and most servers report only on those. `silent`: no server answered. */
  readonly why: 'closed' | 'silent';
}

/** Problems without `unchecked` are all there are. */
export interface ProblemReport {
  readonly problems: readonly EditorProblem[];
  readonly unchecked: readonly UncheckedFile[];
}

export interface CodePlace extends TextPosition {
  readonly path: string;
}

export interface CodeSymbol {
  readonly name: string;
  /** In words: `class`, `method`. */
  readonly kind: string;
  readonly line: number;
  /** 0 for a symbol that no other contains. */
  readonly depth: number;
}

/** The text from `start` to before `end` becomes `text`. `old` is what stood there when the server answered. */
export interface ServerEdit {
  readonly start: TextPosition;
  readonly end: TextPosition;
  readonly old: string;
  readonly text: string;
}

export interface ServerRename {
  readonly files: readonly { readonly path: string; readonly edits: readonly ServerEdit[] }[];
  /** The server also wants to create, move or delete files. */
  readonly movesFiles: boolean;
}

/** `failure`: a sentence that says why there is no answer. An empty answer is the server's own. */
export type ServerAnswer<Value> = { readonly value: Value } | { readonly failure: string };

/** Paths are absolute, links resolved. No method rejects. */
export interface LanguageServers {
  /** What is known now of one file, of all files below a folder, or of all files. Opens nothing. */
  problems(path?: string): Promise<ProblemReport>;
  /**
   * Notes the problems that are known before these files change. The returned function is called once after
   * the change. It waits until the servers have checked those that a tab shows, but at most 2 s, and resolves
   * with the problems that are new in any tab. Files without a tab cost no wait. Opens nothing.
   */
  watch(paths: readonly string[]): (signal: AbortSignal) => Promise<ProblemReport>;
  places(
    kind: 'definition' | 'references' | 'implementations',
    path: string,
    at: TextPosition,
    signal: AbortSignal,
  ): Promise<ServerAnswer<readonly CodePlace[]>>;
  /** Plain text or Markdown. */
  hover(path: string, at: TextPosition, signal: AbortSignal): Promise<ServerAnswer<string>>;
  symbols(path: string, signal: AbortSignal): Promise<ServerAnswer<readonly CodeSymbol[]>>;
  /** Changes nothing. */
  rename(
    path: string,
    at: TextPosition,
    newName: string,
    signal: AbortSignal,
  ): Promise<ServerAnswer<ServerRename>>;
}
