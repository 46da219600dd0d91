import type { ShownOutput } from '../../protocol/events.ts';

/** What kind of failure a result reports, for programs: `code` beside `error` in the result's JSON. */
export type ToolErrorCode =
  | 'invalid_input'
  | 'not_found'
  | 'permission'
  /** The files are not as the call assumes. */
  | 'conflict'
  | 'timeout'
  | 'unsupported'
  | 'io'
  | 'denied'
  /** The call never ran, because of something that happened before it. */
  | 'skipped'
  | 'cancelled'
  | 'internal';

/** A failure for the model to read: what failed, the current state, and what to try. */
export class ToolError extends Error {
  readonly code: ToolErrorCode;
  /** Only for people. */
  readonly shown: ShownOutput | undefined;

  constructor(
    message: string,
    {
      code,
      shown,
      ...options
    }: ErrorOptions & { readonly code: ToolErrorCode; readonly shown?: ShownOutput | undefined },
  ) {
    super(message, options);
    this.code = code;
    this.shown = shown;
  }
}
