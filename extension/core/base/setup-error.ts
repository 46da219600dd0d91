/**
 * No request could be made. The message says what is missing and what to do. `code` is that of an `error`
 * event.
 */
export class SetupError extends Error {
  constructor(
    readonly code: 'no_key' | 'not_found' | 'untrusted' | 'config',
    message: string,
  ) {
    super(message);
  }
}
