/** The images that go with prompts. */
export interface Attachments {
  /** The image that a `user` event names, in base64; undefined where there is none any more. Never rejects. */
  read(name: string): Promise<string | undefined>;
}
