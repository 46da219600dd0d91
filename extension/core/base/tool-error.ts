import type { ShownOutput } from '../../protocol/events.ts';

/** A failure that the model is to read: what failed, what is true, what to try. */
export class ToolError extends Error {
  /** For people alone. */
  readonly shown: ShownOutput | undefined;

  constructor(
    message: string,
    { shown, ...options }: ErrorOptions & { readonly shown?: ShownOutput | undefined } = {},
  ) {
    super(message, options);
    this.shown = shown;
  }
}
