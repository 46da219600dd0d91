/** The log for developers. It must never get a key, a prompt or file content. */
export interface Logger {
  warn(message: string): void;
  error(message: string): void;
}
