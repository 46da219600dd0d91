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
const VARIES = /"(?:timestamp|milliseconds)":\d+|"prev":"[0-9a-f]{64}"/g;
const TEMPORARY = /\.harness-[\w.-]+?\.tmp/g;
const SESSION = /\b\d{14}-[0-9a-f]{8}\b/g;

/**
 * Equal for two aftermaths of one task that `checkInvariants` cannot tell apart: the same files with the same content and mode,
 * the same events acknowledged. It ignores the hashes of a log, so it includes what `verifyLog` finds in them.
 */
export async function aftermathKey(aftermath: Aftermath): Promise<string> {
  const { folder, session, acknowledged, leavesTemporary } = aftermath;
  const names = (await readdir(folder, { recursive: true })).sort();
  // What is still being cleared away may be gone by now.
  const stateOf = async (name: string) => [name, await ifPresent(describe(join(folder, name)))];
  const entries = await Promise.all(names.map(stateOf));
  const { problems } = await verifyLog(logOf(places(folder).sessions, session));
  return digest(JSON.stringify({ entries, problems, session, acknowledged, leavesTemporary }));
}

/** Texts keep their quotes, so that what varies in a line of JSON is found in them. */
async function describe(path: string): Promise<string> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return `link ${await readlink(path)}`;
  if (!stats.isFile()) return `folder ${stats.mode}`;
  const content = (await readFile(path, 'latin1')).replace(VARIES, '');
  return `file ${stats.mode} ${content}`;
}

function digest(text: string): string {
  const sessions = [...new Set(text.match(SESSION))];
  const common = text
    .replace(VARIES, '')
    .replace(TEMPORARY, '.tmp')
    .replace(SESSION, (id) => `session-${sessions.indexOf(id)}`);
  return createHash('sha256').update(common).digest('hex');
}
