/** Lines from 1, both included. */
export interface EditorLines {
  readonly first: number;
  readonly last: number;
}

export interface OpenFile {
  /** Absolute; the name of a document that is not saved yet. */
  readonly path: string;
  /** Absent if the file is open in another form than as text in view. */
  readonly visible?: EditorLines | undefined;
  readonly selected?: (EditorLines & { readonly text: string }) | undefined;
}

/** Numbers of the problems that the editor shows in the workspace. */
export interface ProblemCounts {
  readonly errors: number;
  readonly warnings: number;
}

/** What the user sees in the editor. */
export interface EditorView {
  /**
   * The file in front; undefined if there is none, if it may contain secrets, or if the user does not share it.
   */
  openFile(): Promise<OpenFile | undefined>;
  problems(): ProblemCounts;
}
