// Many faults leave the same: a read that is repeated, a write that fails before its first byte.
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { ifPresent } from '../../../extension/node/fs/file-errors.ts';
import { logOf } from '../../../extension/node/log/session-files.ts';
import { verifyLog } from '../../../extension/node/log/verify-log.ts';
import type { Aftermath } from './invariants.ts';
import { places } from './session.ts';

/** What differs from one run of the same task to the next: times, the hashes over them, the names of sessions and of temporary files. */
const VARIES = /"(?:timestamp|milliseconds|since)":\d+|"prev":"[0-9a-f]{64}"|"token":"[\da-f-]{36}"/g;
const TEMPORARY = /\.harness-[\w.-]+?\.tmp/g;
const SESSION = /\b\d{14}-[0-9a-f]{8}\b/g;

/**
 * Equal for two aftermaths of one task that `checkInvariants` cannot tell apart: the same files with the same content and mode,
 * the same events acknowledged. It ignores the hashes of a log, so it includes what `verifyLog` finds in them.
 */
export async function aftermathKey(aftermath: Aftermath): Promise<string> {
  const { folder, session, acknowledged, leavesTemporary } = aftermath;
  const names = await readdir(folder, { recursive: true });
  // What is still being cleared away may be gone by now.
  const stateOf = async (name: string) =>
    common(`${name} ${await ifPresent(describe(join(folder, name)))}`, aftermath);
  const entries = (await Promise.all(names.map(stateOf))).sort();
  const { problems } = await verifyLog(logOf(places(folder).sessions, session));
  const rest = common(JSON.stringify({ problems, acknowledged, leavesTemporary }), aftermath);
  return digest(JSON.stringify({ entries, rest }));
}

/** Texts keep their quotes, so that what varies in a line of JSON is found in them. */
async function describe(path: string): Promise<string> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
  if (!stats.isFile()) return `folder ${stats.mode}`;
  const content = (await readFile(path, 'latin1')).replace(VARIES, '');
  return `file ${stats.mode} ${content}`;
}

/** The text without what differs in times, hashes over them, the folder, and names of sessions and temporary files. */
export function common(text: string, { folder, session }: Pick<Aftermath, 'folder' | 'session'>): string {
  return text
    .replace(VARIES, '')
    .replaceAll(folder, 'FOLDER')
    .replace(TEMPORARY, '.tmp')
    .replace(SESSION, (id) => (id === session ? 'session' : 'other'));
}

export function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
