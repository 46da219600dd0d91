import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from './arguments.ts';

/** What `--cwd` names, links resolved. Rejects with `UsageError` where it is no directory. */
export async function directory(path: string): Promise<string> {
  const folder = await realpath(resolve(path)).catch(() => undefined);
  if (folder && (await stat(folder)).isDirectory()) return folder;
  throw new UsageError(`--cwd: ${path} is not a directory`);
}
