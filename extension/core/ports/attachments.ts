/** The images attached to prompts. */
export interface Attachments {
  /** The image that a `user` event names, in base64; undefined if it no longer exists. Never rejects. */
  read(name: string): Promise<string | undefined>;
}
