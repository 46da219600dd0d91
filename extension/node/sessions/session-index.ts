// What is known of each session without reading its log again. The file can be deleted at any time: it is made anew.
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
import { summarizeLog } from './summarize-log.ts';

const NAME = 'index.json';
const VERSION = 3;
/** Logs that are looked at at the same time. */
const AT_ONCE = 32;

const entry = z.object({
  /** Of the log when it was read: what has changed since is read again. */
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
});
type Entry = z.infer<typeof entry>;
const index = z.object({ version: z.literal(VERSION), sessions: z.array(entry) });

/** All sessions below `root` that can be read, newest first; a folder without a log is none. */
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

/** What the list last called session `id`; undefined where it has not been in one. */
export async function listedTitle(root: string, id: string): Promise<string | undefined> {
  return (await readIndex(join(root, NAME))).get(id)?.summary.title;
}

/** The folder in which the list knows session `id` to work; empty where it does not. */
export async function listedFolder(root: string, id: string): Promise<string> {
  return (await readIndex(join(root, NAME))).get(id)?.summary.cwd ?? '';
}

async function readIndex(path: string): Promise<ReadonlyMap<string, Entry>> {
  try {
    const { sessions } = index.parse(JSON.parse(await readFile(path, 'utf8')));
    return new Map(sessions.map((known) => [known.summary.id, known]));
  } catch {
    // Not there, or not one that we understand: everything is read again.
    return new Map();
  }
}

async function writeIndex(path: string, sessions: readonly Entry[]): Promise<void> {
  const text = JSON.stringify({ version: VERSION, sessions });
  await replaceFile(path, text).catch(() => {
    // A disk that is full or cannot be written makes the next list slower, and nothing else.
  });
}

/** `known` where it still holds. Rejects where there is no log, or none that is ours to read. */
async function refresh(id: string, path: string, known: Entry | undefined): Promise<Entry> {
  const { size, mtimeMs: mtime } = await stat(path);
  if (known?.size === size && known.mtime === mtime) return known;
  const summary = await summarizeLog(id, path);
  // A log may have lost what says it.
  const cwd = summary.cwd || (known?.summary.cwd ?? '');
  const updated = summary.updated || (timestamp.safeParse(Math.round(mtime)).data ?? 0);
  return { size, mtime, summary: { ...summary, cwd, updated } };
}

/** A run in the log is on only as long as a process writes it. */
async function withState(summary: SessionSummary, lock: string): Promise<SessionSummary> {
  const isOpen = summary.state === 'running' || summary.state === 'waiting';
  return isOpen && !(await isLocked(lock)) ? { ...summary, state: 'error' } : summary;
}

/** In the order of `items`; what has no result is left out. */
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
