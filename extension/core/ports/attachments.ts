/** The images that prompts and results have. */
export interface Attachments {
  /** The image that an event names, in base64; undefined if it no longer exists. Never rejects. */
  read(name: string): Promise<string | undefined>;
  /**
   * Stores an image and resolves with the name under which an event may name it. `title` is its name for the
   * user. Rejects if the image is too large or could not be written.
   */
  keep(bytes: Uint8Array, title: string): Promise<string>;
}
