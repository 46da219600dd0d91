// Error messages for the model when the workspace fails. Only this file turns a `WorkspaceError` into words.

import { ToolError, type ToolErrorCode } from '../../base/tool-error.ts';
import { WorkspaceError, type WorkspaceErrorReason } from '../../ports/workspace.ts';

type Words = Readonly<Partial<Record<WorkspaceErrorReason, (path: string, message: string) => string>>>;

const fileWords: Words = {
  'not-found': (path) => `file not found: ${path}`,
  'is-directory': (path) => `path is a directory: ${path}`,
  'not-directory': (path) => `not a directory: ${path}`,
  'not-regular': (path) => `not a regular file: ${path} (a device, socket or pipe)`,
  'permission-denied': (path) => `permission denied: ${path}`,
  'no-space': (path) => `disk full: could not write ${path}; nothing was changed`,
  changed: (path) =>
    `file changed meanwhile: ${path}; nothing was written, read it again and repeat the change`,
};

export const directoryWords: Words = {
  ...fileWords,
  'not-found': (path) => `path does not exist: ${path}`,
};

export const moveWords: Words = {
  ...fileWords,
  'not-found': (path) => `source not found: ${path}`,
  'not-empty': (path) => `cannot overwrite non-empty directory: ${path}`,
  // The adapter may know which of the two paths was refused.
  'permission-denied': (path, message) =>
    message.includes(': cannot ') ? message : `permission denied: cannot write to ${path}`,
};

const CODES: Readonly<Record<WorkspaceErrorReason, ToolErrorCode>> = {
  'not-found': 'not_found',
  'is-directory': 'invalid_input',
  'not-directory': 'invalid_input',
  'not-regular': 'unsupported',
  'permission-denied': 'permission',
  'no-space': 'io',
  'not-empty': 'conflict',
  'too-large': 'unsupported',
  changed: 'conflict',
  unsaved: 'conflict',
  'invalid-pattern': 'invalid_input',
  failed: 'io',
};

export function toolErrorCode({ reason }: WorkspaceError): ToolErrorCode {
  return CODES[reason];
}

/** Awaits `work`, and converts its `WorkspaceError` to a `ToolError`. */
export async function asToolErrors<T>(work: Promise<T>, words: Words = fileWords): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw WorkspaceError.is(error)
      ? new ToolError(wording(error, words), { code: toolErrorCode(error), cause: error })
      : error;
  }
}

/**
 * The tool's words for the error. Uses the adapter's own message if there are none, or if its message begins
 * with them.
 */
function wording(error: WorkspaceError, words: Words): string {
  const fixed = words[error.reason]?.(error.path, error.message);
  return fixed === undefined || error.message.startsWith(fixed) ? error.message : fixed;
}
