// What must hold of a session, its files and its processes after whatever has happened: the one place that says so.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { blobHashesIn } from '../../../extension/core/checkpoints/blob-names.ts';
import { isRestored } from '../../../extension/core/checkpoints/restored-file.ts';
import type { Turn } from '../../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import type { Session } from '../../../extension/core/session/session.ts';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import { ifPresent } from '../../../extension/node/fs/file-errors.ts';
import { logOf } from '../../../extension/node/log/session-files.ts';
import { verifyLog } from '../../../extension/node/log/verify-log.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { effectOf } from '../../../extension/protocol/tool-names.ts';
import { speakers } from '../any-session/speakers.ts';
import { record } from '../recorded.ts';
import { expectWellFormed, says } from '../scenario.ts';
import { expectUndoable, expectWhole } from './file-invariants.ts';
import { openWorkplace, places, SECRET, settingsWith, type Workplace } from './session.ts';

export interface Aftermath {
  readonly folder: string;
  readonly session: string;
  /** Events that were told to be in the log. */
  readonly acknowledged: readonly SessionEvent[];
  /** What happened, for the message of a failure. */
  readonly why: string;
  /** Something was done to the log itself: its chain may be broken, and what was in it told to be damaged. */
  readonly isDamaged?: boolean;
  /** The power was lost: of what was never promised, anything may be missing. */
  readonly mayMiss?: boolean;
  /** The process lives on that could not clear away what it had begun: the next start will. */
  readonly leavesTemporary?: boolean;
}

/** Opens the session as the next process does, checks everything, and goes on in it. */
export async function checkInvariants(aftermath: Aftermath): Promise<void> {
  const { folder, session: id, why } = aftermath;
  const workplace = await openWorkplace(folder);
  const { store, ports } = workplace;
  const window = new LogWindow();
  const { sessions } = places(folder);
  const { session, expectEqualReplay } = await record(await store.open(id), ports, sessions);
  try {
    window.apply(session.events);
    session.subscribe({ onEvents: (events) => window.apply(events) });
    expectAcknowledged(aftermath, session.events);
    if (!aftermath.isDamaged) expectWellFormed(session.events);
    await expectAudited(aftermath, session.events);
    await expectOnce(folder, session.events, why);
    await expectWhole(aftermath, session.events);
    await expectBytes(aftermath, workplace, session.events);
    expectEnded(session.events, why);
    await expectValid(session, aftermath);
    await expectNothingLeft(aftermath);
    if (!aftermath.isDamaged) await expectUndoable(session, aftermath);
  } finally {
    await session.close();
    await workplace.close();
  }
  await expectEqualReplay();
  const written = await store.read(id);
  expect(written, `the log is what was shown: ${why}`).toEqual(window.events);
  const fresh = new LogWindow(written);
  expect([window.head, window.lines], `the view is a fold of the log: ${why}`).toEqual([
    fresh.head,
    fresh.lines,
  ]);
  const { problems } = await verifyLog(logOf(sessions, id));
  if (!aftermath.isDamaged) expect(problems, why).toEqual([]);
  const again = await store.open(id);
  expect(again.repairs, `told once: ${why}`).toEqual([]);
  await again.close();
}

function expectAcknowledged({ acknowledged, why }: Aftermath, events: readonly SessionEvent[]): void {
  const bySeq = new Map(events.map((event) => [event.seq, event]));
  for (const event of acknowledged) expect(bySeq.get(event.seq), `was acknowledged: ${why}`).toEqual(event);
}

/** Each call that may have had an effect was allowed, once, and the audit says so. */
async function expectAudited(aftermath: Aftermath, events: readonly SessionEvent[]): Promise<void> {
  const { folder, why, isDamaged, mayMiss, acknowledged } = aftermath;
  const text = (await ifPresent(readFile(join(places(folder).home, 'audit.jsonl'), 'utf8'))) ?? '';
  const entries = text.split('\n').flatMap(entryOf);
  const names = new Map(
    events.flatMap((event) => (event.type === 'tool_call' ? [[event.id, event.name]] : [])),
  );
  // What has had an effect was promised to be there before.
  for (const event of isDamaged || mayMiss ? acknowledged : events) {
    if (event.type !== 'tool_started' || effectOf(names.get(event.id) ?? '') === 'reads') continue;
    const audited = entries.filter(({ id, decision }) => id === event.id && decision !== 'deny');
    expect(audited, `${event.id} is in the audit once: ${why}`).toHaveLength(1);
    const allowed = events.filter((other) => other.type === 'permission' && other.id === event.id);
    expect(allowed, `${event.id} was allowed once: ${why}`).toHaveLength(1);
    expect(allowed[0]?.seq).toBeLessThan(event.seq);
  }
}

/** The beginning of a line may be left of a process that died. */
function entryOf(line: string): { id: string; decision: string }[] {
  try {
    return [JSON.parse(line) as { id: string; decision: string }];
  } catch {
    return [];
  }
}

/** No call ran twice, and none ran that the log does not know. */
async function expectOnce(folder: string, events: readonly SessionEvent[], why: string): Promise<void> {
  const starts = events.flatMap((event) => (event.type === 'tool_started' ? [event.id] : []));
  expect(new Set(starts).size, `no call is begun twice: ${why}`).toBe(starts.length);
  const notes = (await ifPresent(readFile(places(folder).notes, 'utf8'))) ?? '';
  const begun = notes.split('\n').filter((line) => line !== '' && !line.endsWith(' end'));
  expect(new Set(begun).size, `no command ran twice: ${why}`).toBe(begun.length);
  expect(starts, `no command ran unknown: ${why}`).toEqual(expect.arrayContaining(begun));
}

/** What an event names is there: it was on the disk before the event. */
async function expectBytes(
  { why, session }: Aftermath,
  { store }: Workplace,
  events: readonly SessionEvent[],
): Promise<void> {
  const blobs = store.blobs(session);
  for (const hash of blobHashesIn(events))
    await expect(blobs.get(hash), `its bytes are there: ${why}`).resolves.toBeDefined();
}

/** Each restore and rejection has its end, and the model is told of what it has done. */
function expectEnded(events: readonly SessionEvent[], why: string): void {
  const told = events.findLast((event) => event.type === 'notice' && event.toModel !== undefined)?.seq ?? 0;
  for (const event of events) {
    if (event.type !== 'checkpoint' || !(event.restores || event.rejects)) continue;
    const end = event.restores ? 'restored' : 'files_changed';
    const ends = events.filter((other) => other.type === end && other.id === event.id);
    expect(ends, `${event.id} has ended: ${why}`).toHaveLength(1);
    const isDone = ends.some((other) =>
      other.type === 'restored'
        ? other.files.some(isRestored)
        : other.type === 'files_changed' && other.changes.length > 0,
    );
    if (isDone) expect(told, `the model is told of ${event.id}: ${why}`).toBeGreaterThan(event.seq);
  }
}

/** The next request is one that every provider takes. */
async function expectValid(session: Session, { why, isDamaged }: Aftermath): Promise<void> {
  const model = new ScriptedModel(says('Here I am.'));
  expect(await session.prompt('Go on', settingsWith(model)), why).toBe('done');
  if (!isDamaged) expectWellFormed(session.events);
  expect(model.turns.flatMap(violationsIn), why).toEqual([]);
}

/** What any provider would refuse in a request. */
export function violationsIn(turn: Turn): string[] {
  const violations = speakers.map((speaker) => speaker.request(turn, false).violation);
  return violations.filter((violation) => violation !== undefined);
}

/** No process, no half-written file, and no secret in what Harness keeps. */
async function expectNothingLeft({ folder, why, leavesTemporary }: Aftermath): Promise<void> {
  await expectNoProcess(folder, why);
  const { home } = places(folder);
  const leftIn = async () =>
    (await readdir(folder, { recursive: true })).filter((name) => name.includes('.harness-'));
  if (!leavesTemporary)
    await expect.poll(leftIn, { message: `nothing is half-done: ${why}`, timeout: 10_000 }).toEqual([]);
  // A file that is still being written has another name a moment later.
  await vi.waitFor(() => expectNoSecretIn(home, why), { timeout: 10_000 });
}

async function expectNoSecretIn(home: string, why: string): Promise<void> {
  const files = await readdir(home, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    const content = await readFile(join(file.parentPath, file.name), 'latin1');
    expect(content.includes(SECRET), `${file.name} has no secret: ${why}`).toBe(false);
  }
}

export async function expectNoProcess(folder: string, why: string): Promise<void> {
  await expect.poll(() => processesIn(folder), { message: `no process is left: ${why}` }).toEqual([]);
}

/** Ids of processes that work in the folder. */
async function processesIn(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return pids.filter((_, index) => folders[index]?.startsWith(folder));
}
