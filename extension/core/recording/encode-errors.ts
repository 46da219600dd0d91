// Encodes and decodes errors. A decoded error keeps its class and its fields, because callers test both.
import type { SetupError } from '../base/setup-error.ts';
import type { ModelError, ModelFailure } from '../ports/model.ts';
import type { SpawnError } from '../ports/shell.ts';
import type { WorkspaceError, WorkspaceErrorReason } from '../ports/workspace.ts';

/**
 * The error classes that the callers catch. Harness may be bundled apart from the callers. A class that is
 * bundled twice is two classes, and `instanceof` would fail.
 */
export interface ErrorClasses {
  readonly WorkspaceError: typeof WorkspaceError;
  readonly SpawnError: typeof SpawnError;
  readonly SetupError: typeof SetupError;
  readonly ModelFailure: typeof ModelFailure;
}

type Class = keyof ErrorClasses | 'DOMException' | 'TypeError' | 'Error';

interface PlainError {
  readonly class: Class;
  readonly name: string;
  readonly message: string;
  readonly code?: unknown;
  readonly reason?: unknown;
  readonly path?: unknown;
  readonly error?: unknown;
  readonly cause?: unknown;
}

/** Encodes an error as plain data. `cause` stays an `Error`; the caller encodes it. */
export function encodeError(error: Error, classes: ErrorClasses): PlainError {
  const { name, message, cause } = error;
  // `encode` drops the undefined fields.
  const { code, reason, path, error: inner } = error as Error & Partial<Record<string, unknown>>;
  return {
    class: classOf(error, classes),
    name,
    message,
    code,
    reason,
    path,
    error: inner,
    ...(cause instanceof Error && { cause }),
  };
}

function classOf(error: Error, classes: ErrorClasses): Class {
  const ours = Object.entries(classes).find(([, each]) => error instanceof each);
  // The keys of `classes`.
  if (ours) return ours[0] as keyof ErrorClasses;
  if (error instanceof DOMException) return 'DOMException';
  return error instanceof TypeError ? 'TypeError' : 'Error';
}

export function decodeError(plain: unknown, classes: ErrorClasses): Error {
  // Written by `encodeError`.
  const { class: kind, message, name, code, reason, path, error, cause } = plain as PlainError;
  const options = cause === undefined ? {} : { cause };
  switch (kind) {
    case 'WorkspaceError':
      return new classes.WorkspaceError(reason as WorkspaceErrorReason, String(path), message, options);
    case 'ModelFailure':
      return new classes.ModelFailure(error as ModelError);
    case 'SpawnError':
      return new classes.SpawnError(message, options);
    case 'SetupError':
      return new classes.SetupError(code as SetupError['code'], message);
    case 'DOMException':
      return new DOMException(message, name);
    case 'TypeError':
      return Object.assign(new TypeError(message, options), code !== undefined && { code });
    case 'Error':
      return Object.assign(new Error(message, options), { name }, code !== undefined && { code });
  }
}
