import type { ShownOutput } from '../../protocol/events.ts';

/** A failure for the model to read: what failed, the current state, and what to try. */
export class ToolError extends Error {
  /** Only for people. */
  readonly shown: ShownOutput | undefined;

  constructor(
    message: string,
    { shown, ...options }: ErrorOptions & { readonly shown?: ShownOutput | undefined } = {},
  ) {
    super(message, options);
    this.shown = shown;
  }
}
