import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import { parseEvent, type SessionEvent } from '../../../extension/protocol/events.ts';

/** The log of the session in which `prompt` was asked, as it lies on the disk; empty where there is none (yet). */
export async function storedSession(harnessHome: string, prompt: string): Promise<readonly SessionEvent[]> {
  const sessions = path.join(harnessHome, 'sessions');
  for (const name of await readdir(sessions).catch(() => [])) {
    const events = await readEvents(path.join(sessions, name, 'events.jsonl'));
    if (events.some((event) => asks(event, prompt))) return events;
  }
  return [];
}

/** What followed `prompt`, it included, as soon as the run that it began has ended. */
export async function storedRun(harnessHome: string, prompt: string): Promise<readonly SessionEvent[]> {
  const run = async () => {
    const events = await storedSession(harnessHome, prompt);
    const rest = events.slice(events.findIndex((event) => asks(event, prompt)));
    return rest.slice(0, rest.findIndex(({ type }) => type === 'turn_ended') + 1);
  };
  await expect.poll(run, { message: `the run of “${prompt}” ends` }).not.toEqual([]);
  return run();
}

/** Resolves when `draft` lies on the disk as what was typed in some session, or for the next one. */
export async function draftIsStored(harnessHome: string, draft: string): Promise<void> {
  const stored = async () => {
    const files = await readdir(harnessHome, { recursive: true });
    const drafts = files.filter((name) => /(^|[\\/])(draft|next-drafts[\\/][^\\/]+)\.json$/.test(name));
    const texts = drafts.map((name) => readFile(path.join(harnessHome, name), 'utf8').catch(() => ''));
    return (await Promise.all(texts)).join('\n');
  };
  await expect.poll(stored).toContain(JSON.stringify(draft));
}

function asks(event: SessionEvent, prompt: string): boolean {
  return event.type === 'user' && event.content === prompt;
}

/** A line that is still being written is left out. */
async function readEvents(file: string): Promise<SessionEvent[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  return lines.map((line) => parseEvent(JSON.parse(line))).filter((event) => event !== undefined);
}
