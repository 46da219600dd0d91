// A real log to which something happens, and what must hold of it then.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import { logOf } from '../../../extension/node/log/session-files.ts';
import { JsonlSessionStore } from '../../../extension/node/sessions/jsonl-session-store.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { exportSession } from '../../../extension/node/transfer/export-session.ts';
import { importSession } from '../../../extension/node/transfer/import-session.ts';
import { memoryDir } from '../memory-dir.ts';
import { recordedSession } from '../recorded.ts';
import { createLog, openWorkplace, places, prepare, settingsWith } from './session.ts';
import { longWork } from './work.ts';

export async function workedSession(work = longWork()) {
  const folder = await memoryDir();
  await prepare(folder);
  const workplace = await openWorkplace(folder);
  const { sessions, root } = places(folder);
  const session = await recordedSession(await createLog(workplace, folder), workplace.ports, sessions);
  await session.prompt('Go', settingsWith(work));
  await session.close();
  await workplace.close();
  await workplace.store.list();
  const path = logOf(sessions, session.id);
  const whole = await readFile(path);
  return { ...workplace, folder, root, id: session.id, path, whole, events: session.events };
}

export type Worked = Awaited<ReturnType<typeof workedSession>>;
type Reopened = Awaited<ReturnType<typeof reopen>>;

/** Puts these bytes in the place of the log, opens it, appends to it and opens it again. */
export async function reopen({ store, id, path }: Worked, bytes: Uint8Array) {
  await writeFile(path, bytes);
  const log = await store.open(id);
  const appended = await log.append([
    ...log.repairs.map((message) => ({ type: 'notice', message }) as const),
    { type: 'user', content: 'after' },
  ]);
  await log.close();
  const again = await store.open(id);
  await again.close();
  const asides = (await readdir(dirname(path))).filter((name) => name.includes('damaged'));
  return {
    past: log.past,
    repairs: log.repairs,
    appended,
    again: again.past,
    toldAgain: again.repairs,
    asides,
  };
}

/** What is there is the beginning or a part of what was, unchanged; what is appended comes behind it. */
export function expectKept({ toldAgain, again, past, appended, repairs }: Reopened, why: string): void {
  expect(toldAgain, `told once: ${why}`).toEqual([]);
  expect(again, `nothing is lost by going on: ${why}`).toEqual([...past, ...appended]);
  expect(past[0]?.type, `it has a beginning: ${why}`).toBe('session_started');
  expect(repairs.length, why).toBeLessThan(2);
}

/** As it lies there, damaged or mended, its session goes to another machine in a file, and goes on there. */
export async function expectPortable({ folder, id, store }: Worked, why: string): Promise<void> {
  const here = places(folder).sessions;
  const there = join(folder, 'there');
  const file = join(folder, 'exported');
  await exportSession({ root: here, id, secrets: new SecretFilter(), product: 'test' }, file);
  const imported = await importSession({ root: there, clock: systemClock, cwd: '/there' }, file);
  const log = await new JsonlSessionStore(there, systemClock).open(imported.id);
  expect(log.repairs, `nothing is left to mend: ${why}`).toEqual([]);
  const types = (await store.read(id)).map(({ type }) => type).filter((type) => type !== 'session_started');
  expect(
    log.past.map(({ type }) => type),
    `all that is intact is there: ${why}`,
  ).toEqual(['session_started', ...types, 'imported', ...(imported.isDamaged ? ['notice'] : []), 'notice']);
  await log.close();
  await rm(there, { recursive: true });
}
