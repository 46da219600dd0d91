// Caches a summary of each session, so that Harness need not read its log again. The file can be deleted at
// any time; Harness rebuilds it.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { OnUnread, SessionSummary } from '../../core/ports/session-store.ts';
import { timestamp } from '../../protocol/events.ts';
import { ifPresent, isUnread } from '../fs/file-errors.ts';
import { isLocked } from '../fs/lock-file.ts';
import { replaceFile } from '../fs/replace-file.ts';
import { LongLineError } from '../log/log-lines.ts';
import { isSessionId, lockOf, logOf } from '../log/session-files.ts';
import { logDigest, summarizeLog } from './summarize-log.ts';

const NAME = 'index.json';
const VERSION = 4;
/** Number of logs that are processed in parallel. */
const AT_ONCE = 32;

const entry = z.object({
  /** Size and modification time of the log when it was read. Of a log that has grown, Harness reads the rest. */
  size: z.number(),
  mtime: z.number(),
  summary: z.object({
    id: z.string(),
    title: z.string(),
    cwd: z.string(),
    updated: timestamp,
    prompts: z.number(),
    state: z.enum(['idle', 'running', 'waiting', 'error']),
  }),
  digest: logDigest,
});
type Entry = z.infer<typeof entry>;
const index = z.object({ version: z.literal(VERSION), sessions: z.array(entry) });

/** Lists all readable sessions below `root`, newest first. Skips a folder without a log. */
export async function listSessions(root: string, onUnread: OnUnread = () => {}): Promise<SessionSummary[]> {
  const known = await readIndex(join(root, NAME));
  const ids = ((await ifPresent(readdir(root))) ?? []).filter(isSessionId);
  const entries = await inParallel(ids, (id) =>
    refresh(id, logOf(root, id), known.get(id)).catch((error: Error) => {
      if (isUnread(error) || error instanceof LongLineError) onUnread(id, error);
      return undefined;
    }),
  );
  if (entries.length !== known.size || entries.some((found) => known.get(found.summary.id) !== found))
    await writeIndex(join(root, NAME), entries);
  const summaries = await inParallel(entries, ({ summary }) => withState(summary, lockOf(root, summary.id)));
  return summaries.sort((a, b) => b.updated - a.updated);
}

/** The title of session `id` in the last list; undefined if the list lacks the session. */
export async function listedTitle(root: string, id: string): Promise<string | undefined> {
  return (await readIndex(join(root, NAME))).get(id)?.summary.title;
}

/** The working folder of session `id` in the last list; empty if the list lacks the session. */
export async function listedFolder(root: string, id: string): Promise<string> {
  return (await readIndex(join(root, NAME))).get(id)?.summary.cwd ?? '';
}

async function readIndex(path: string): Promise<ReadonlyMap<string, Entry>> {
  try {
    const { sessions } = index.parse(JSON.parse(await readFile(path, 'utf8')));
    return new Map(sessions.map((known) => [known.summary.id, known]));
  } catch {
    // The file is missing or has an unknown format, so Harness reads every log again.
    return new Map();
  }
}

async function writeIndex(path: string, sessions: readonly Entry[]): Promise<void> {
  const text = JSON.stringify({ version: VERSION, sessions });
  await replaceFile(path, text).catch(() => {
    // A full or read-only disk only makes the next list slower.
  });
}

/** Returns `known` if the log is unchanged. Rejects if the log is missing or cannot be read. */
async function refresh(id: string, path: string, known: Entry | undefined): Promise<Entry> {
  const { size, mtimeMs: mtime } = await stat(path);
  if (known?.size === size && known.mtime === mtime) return known;
  const { summary, digest } = await summarizeLog(id, path, known?.digest);
  // A damaged log may have lost the events that state these values.
  const cwd = summary.cwd || (known?.summary.cwd ?? '');
  const updated = summary.updated || (timestamp.safeParse(Math.round(mtime)).data ?? 0);
  return { size, mtime, summary: { ...summary, cwd, updated }, digest };
}

/**
 * A run is active only while a process writes the log. Otherwise it was cut off, and the state is `error`.
 */
async function withState(summary: SessionSummary, lock: string): Promise<SessionSummary> {
  const isOpen = summary.state === 'running' || summary.state === 'waiting';
  return isOpen && !(await isLocked(lock)) ? { ...summary, state: 'error' } : summary;
}

/** Keeps the order of `items`. Leaves out items without a result. */
async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result | undefined>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const some = await Promise.all(items.slice(start, start + AT_ONCE).map(work));
    results.push(...some.filter((result) => result !== undefined));
  }
  return results;
}
