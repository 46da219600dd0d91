/** Why no request could be made: what is missing, in a sentence that says what to do. `code` is that of an `error` event. */
export class SetupError extends Error {
  constructor(
    readonly code: 'no_key' | 'not_found' | 'untrusted' | 'config',
    message: string,
  ) {
    super(message);
  }
}
