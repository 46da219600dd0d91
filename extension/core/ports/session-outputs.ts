/** Long outputs of one session, in files that the model can read. */
export interface SessionOutputs {
  /** Absolute path of their folder, links resolved. It exists when the first file does. */
  readonly folder: string;
  /** The absolute path of a file for the output of `name`, unique for each name. Makes the folder. */
  fileFor(name: string): string;
  /** Stores a text; returns its file, or undefined if the disk does not take it. */
  keep(name: string, text: string): string | undefined;
}
