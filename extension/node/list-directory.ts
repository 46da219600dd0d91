import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstat, opendir, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkspaceError } from '../core/ports/workspace.ts';
import { errorCode, ifPresent } from './file-errors.ts';
import { formatListing, type ListedEntry } from './list-windows.ts';
import { OutputBuffer } from './output-buffer.ts';
import { typeOf } from './read-file.ts';

/** By its absolute path: what a workspace or PATH puts under this name is not run. */
const LS = '/bin/ls';
const MAX_BYTES = 8 * 1024 * 1024;

/** What `ls -al PATH` prints; where there is no `ls`, the same columns. */
export async function listDirectory(path: string, signal: AbortSignal): Promise<string> {
  await requireReadable(path);
  try {
    return await runLs(path, signal);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return listWithoutLs(path);
    throw error;
  }
}

/** `ls` tells of a refusal in the user's language only. */
async function requireReadable(path: string): Promise<void> {
  await (await opendir(path)).close();
}

async function runLs(path: string, signal: AbortSignal): Promise<string> {
  const child = spawn(LS, ['-al', path], { stdio: ['ignore', 'pipe', 'ignore'], signal });
  const output = new OutputBuffer(MAX_BYTES);
  child.stdout.on('data', (chunk: Uint8Array) => output.push(chunk));
  const [code] = await once(child, 'close');
  output.finish();
  // 1 is "some entries could not be told of", and they are marked as such.
  if (code === 0 || code === 1) return output.text();
  throw new WorkspaceError('failed', path, `could not be listed: ${path} (ls ended with ${code})`);
}

/** The listing in our own columns. */
export async function listWithoutLs(path: string): Promise<string> {
  const names = await readdir(path);
  const entries = await Promise.all(['.', '..', ...names].map((name) => toEntry(path, name)));
  return formatListing(
    entries.filter((entry) => entry !== undefined),
    new Date(),
  );
}

/** Undefined for what vanished while the directory was read. */
async function toEntry(directory: string, name: string): Promise<ListedEntry | undefined> {
  const path = join(directory, name);
  const isLink = (await ifPresent(lstat(path)))?.isSymbolicLink() ?? false;
  const stats = await ifPresent(isLink ? lstat(path) : stat(path));
  if (!stats) return undefined;
  return {
    name,
    type: isLink ? 'link' : typeOf(stats),
    mode: stats.mode,
    links: stats.nlink,
    owner: String(stats.uid),
    group: String(stats.gid),
    size: stats.size,
    modified: stats.mtime,
    target: isLink ? await ifPresent(readlink(path)) : undefined,
  };
}
