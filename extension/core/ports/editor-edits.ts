/** A file that was changed besides those that a call names. */
export interface EditedFile {
  /** Absolute, links resolved. */
  readonly path: string;
  /** As the user saw it before. */
  readonly before: Uint8Array;
}

/**
 * What an editor changes of its own accord when files are moved, made or deleted in it, as language servers mend what
 * imports them.
 */
export interface EditorEdits {
  /** From now on, when one of these paths is. What is returned ends that, and tells. */
  watch(paths: ReadonlySet<string>): () => Promise<readonly EditedFile[]>;
}
