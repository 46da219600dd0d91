import { WorkspaceError, type WorkspaceErrorReason } from '../../core/ports/workspace.ts';

type Known = readonly [reason: WorkspaceErrorReason, message: (path: string) => string];

const denied = (path: string) => `permission denied: ${path}`;
const full = (path: string) => `disk full: could not write ${path}; nothing was changed`;

const KNOWN: Readonly<Record<string, Known>> = {
  ENOENT: ['not-found', (path) => `file not found: ${path}`],
  EISDIR: ['is-directory', (path) => `path is a directory: ${path}`],
  ENOTDIR: ['not-directory', (path) => `not a directory: ${path}`],
  EACCES: ['permission-denied', denied],
  EPERM: ['permission-denied', denied],
  EROFS: ['permission-denied', (path) => `${denied(path)} (read-only file system)`],
  ENOSPC: ['no-space', full],
  EDQUOT: ['no-space', (path) => `${full(path)} (quota)`],
  EFBIG: ['no-space', (path) => `${full(path)} (file size limit)`],
  ELOOP: ['failed', (path) => `too many symbolic links: ${path}`],
  ENAMETOOLONG: ['failed', (path) => `name too long: ${path}`],
};

/** Converts an error of the system to one of the workspace port. Returns a `WorkspaceError` unchanged. */
export function toWorkspaceError(error: unknown, path: string): WorkspaceError {
  if (error instanceof WorkspaceError) return error;
  const [reason, message] = KNOWN[errorCode(error) ?? ''] ?? ['failed', () => `${describe(error)}: ${path}`];
  return new WorkspaceError(reason, path, message(path), { cause: error });
}

/** Awaits `work`. Converts each rejection to a `WorkspaceError` about `path`. */
export async function asWorkspaceErrors<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toWorkspaceError(error, path);
  }
}

/** Returns a code such as `ENOENT`; undefined if the error has none. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether the system failed to read something that exists. Its content may be sound. */
export function isUnread(error: unknown): boolean {
  const isSystems = error instanceof Error && 'syscall' in error;
  return isSystems && !['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '');
}

/** Awaits `work`. Resolves with undefined if the path does not exist. */
export async function ifPresent<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
