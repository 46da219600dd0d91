/** A file that changed in addition to those that a call names. */
export interface EditedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  /** The content that the user saw before the change. */
  readonly before: Uint8Array;
}

/**
 * The edits that an editor makes on its own when files are moved, created or deleted in it. For example,
 * language servers update imports.
 */
export interface EditorEdits {
  /**
   * Records such edits while one of these paths changes. The returned function stops that and resolves with
   * the edited files.
   */
  watch(paths: ReadonlySet<string>): () => Promise<readonly EditedFile[]>;
}
