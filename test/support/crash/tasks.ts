// What is done with a session while the operations on its files fail, one task for each kind of file that is written.
import { readFile, writeFile } from 'node:fs/promises';
import type { SessionLog } from '../../../extension/core/ports/session-store.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { lockOf, logOf } from '../../../extension/node/log/session-files.ts';
import { craftedLock, NOBODY } from '../crafted-lock.ts';
import { type Recorded, record } from '../recorded.ts';
import { says } from '../scenario.ts';
import { createLog, openWorkplace, places, settingsWith, type Workplace } from './session.ts';
import { compact, redo, reject, restore } from './stages.ts';
import { movingWork, shortWork } from './work.ts';

export interface Task {
  /** Before anything fails. Resolves with the id of the session; empty where none has begun. */
  prepare(folder: string): Promise<string>;
  /** Tells of the session as soon as it is open, and works on in it. */
  perform(place: Place, opened: (recorded: Recorded) => void): Promise<void>;
}

interface Place extends Workplace {
  readonly folder: string;
  readonly id: string;
}

const answer = () => settingsWith(new ScriptedModel(says('Here I am.')));

/** A session that has changed files, closed. */
async function worked(folder: string): Promise<string> {
  const workplace = await openWorkplace(folder);
  const { session } = await begin(await createLog(workplace, folder), workplace, folder);
  await session.prompt('Go', settingsWith(movingWork()));
  await session.close();
  await workplace.close();
  return session.id;
}

/** The same, with all of it taken back. */
async function takenBack(folder: string): Promise<string> {
  const id = await worked(folder);
  const workplace = await openWorkplace(folder);
  const { session } = await open({ ...workplace, folder, id });
  await restore(session, 1);
  await session.close();
  await workplace.close();
  return id;
}

/** The same as `worked`, of which the process has died in the middle of its last call. */
async function interrupted(folder: string): Promise<string> {
  const id = await worked(folder);
  const { sessions } = places(folder);
  const path = logOf(sessions, id);
  const text = await readFile(path, 'utf8');
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => line.includes('"tool_started"'));
  await writeFile(path, `${lines.slice(0, last + 1).join('\n')}\n${lines[last + 1]?.slice(0, 30)}`);
  await writeFile(lockOf(sessions, id), await craftedLock({ pid: NOBODY }));
  return id;
}

/** A session that is recorded. */
function begin(log: SessionLog, { ports }: Workplace, folder: string): Promise<Recorded> {
  return record(log, ports, places(folder).sessions);
}

async function open(place: Place): Promise<Recorded> {
  return begin(await place.store.open(place.id), place, place.folder);
}

export const manyTools: Task = {
  prepare: async () => '',
  async perform(place, opened) {
    const recorded = await begin(await createLog(place, place.folder), place, place.folder);
    opened(recorded);
    await recorded.session.prompt('Go', settingsWith(shortWork()));
  },
};

export const steps: Readonly<Record<string, Task>> = {
  'a compaction': {
    prepare: worked,
    async perform(place, opened) {
      const recorded = await open(place);
      opened(recorded);
      await compact(recorded.session);
      await recorded.session.prompt('Go on', answer());
    },
  },
  'a fork': {
    prepare: worked,
    async perform(place, opened) {
      const end = (await place.store.read(place.id)).length;
      const log = await place.store.fork(place.id, end, { cwd: places(place.folder).root, product: 'test' });
      const recorded = await begin(log, place, place.folder);
      opened(recorded);
      await recorded.session.prompt('Go on', answer());
    },
  },
  'a restore': {
    prepare: worked,
    async perform(place, opened) {
      const recorded = await open(place);
      opened(recorded);
      await restore(recorded.session, 1);
    },
  },
  'a redo': {
    prepare: takenBack,
    async perform(place, opened) {
      const recorded = await open(place);
      opened(recorded);
      await redo(recorded.session);
    },
  },
  'a rejection': {
    prepare: worked,
    async perform(place, opened) {
      const recorded = await open(place);
      opened(recorded);
      await reject(recorded.session, place, place.folder, 'b.txt', 'sub/a.txt');
    },
  },
  'taking over from a process that died': {
    prepare: interrupted,
    async perform(place, opened) {
      const recorded = await open(place);
      opened(recorded);
      await recorded.session.prompt('Go on', answer());
    },
  },
};
