// A restore, a redo or a rejection whose process is killed at each of its steps: the next one closes it, and every version of
// every file is in reach.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { versionOf } from '../../extension/core/base/content-hash.ts';
import { FileHistory } from '../../extension/core/checkpoints/file-history.ts';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { Session } from '../../extension/core/session/session.ts';
import type { EventOf, FileState, SessionEvent } from '../../extension/protocol/events.ts';
import { bundleTo } from '../support/crash/bundle.ts';
import { createLog, openWorkplace, places, settingsWith, type Workplace } from '../support/crash/session.ts';
import { redo, restore } from '../support/crash/stages.ts';
import { record, recordedSession } from '../support/recorded.ts';
import { calls, expectWellFormed, says } from '../support/scenario.ts';
import { tempDir } from '../support/temp-dir.ts';

type Act = 'undo' | 'redo' | 'reject';

const NAMES = ['a', 'b', 'new/c', 'm', 'new/m', 'link', 'new/link'];
/** Of a link, where it leads. */
const OLD = ['old a', 'old b', undefined, 'moved', undefined, 'a', undefined];
const NEW = ['agent a', 'agent b', 'agent c', undefined, 'moved', undefined, 'a'];
const MODE = 0o755;

/** A run has edited two files, made one, and moved one and a link; where it is to be done again, it is undone. Resolves with the session's id. */
async function prepare(folder: string, act: Act): Promise<string> {
  const { root, home } = places(folder);
  await Promise.all([mkdir(root), mkdir(home)]);
  for (const name of ['a', 'b']) await writeFile(join(root, name), `old ${name}`);
  await writeFile(join(root, 'm'), 'moved');
  await chmod(join(root, 'm'), MODE);
  await symlink('a', join(root, 'link'));
  const place = await openWorkplace(folder, 'bypass');
  const session = await recordedSession(await createLog(place, folder), place.ports, places(folder).sessions);
  const writes = ['a', 'b', 'new/c'].map(
    (path) => ['write', { path, content: `agent ${path.at(-1)}` }] as const,
  );
  const moves = ['m', 'link'].map((source) => ['move', { source, destination: `new/${source}` }] as const);
  await session.prompt('Go', settingsWith(new ScriptedModel(calls(1, ...writes, ...moves), says('Done.'))));
  if (act === 'redo') await restore(session, 1);
  await session.close();
  await place.close();
  return session.id;
}

async function killedAt(bundle: string, folder: string, id: string, act: Act, nth: number): Promise<boolean> {
  const child = spawn(process.execPath, [bundle, folder, id, act, String(nth)], { stdio: 'inherit' });
  const [, signal] = await once(child, 'exit');
  return signal === 'SIGKILL';
}

async function contentsOf(folder: string): Promise<(string | undefined)[]> {
  const { root } = places(folder);
  const contentOf = (path: string) => readlink(path).catch(() => readFile(path, 'utf8'));
  return Promise.all(NAMES.map((name) => contentOf(join(root, name)).catch(() => undefined)));
}

/** The session as the next process opens it. */
async function reopen<Result>(
  folder: string,
  id: string,
  work: (session: Session, place: Workplace) => Promise<Result>,
): Promise<Result> {
  const place = await openWorkplace(folder, 'bypass');
  const { sessions } = places(folder);
  const { session, expectEqualReplay } = await record(await place.store.open(id), place.ports, sessions);
  try {
    return await work(session, place);
  } finally {
    await session.close();
    await place.close();
    await expectEqualReplay();
  }
}

/** What the log says of each file is what lies there, and nothing half-done lies beside it. */
async function expectKnown(folder: string, events: readonly SessionEvent[], why: string): Promise<void> {
  expectWellFormed(events);
  const { root } = places(folder);
  const history = FileHistory.of(events);
  const known = NAMES.map((name) => history.stateAt(join(root, name), Number.POSITIVE_INFINITY));
  const contents = await contentsOf(folder);
  expect(known.map(hashOf), why).toEqual(contents.map((text) => text && versionOf(Buffer.from(text))));
  const [, , , m, movedM, link, movedLink] = contents;
  expect(m ?? movedM, `what is moved is somewhere: ${why}`).toBe('moved');
  expect(link ?? movedLink, `the link is somewhere: ${why}`).toBe('a');
  const { mode } = await stat(join(root, m === undefined ? 'new/m' : 'm'));
  expect(mode & 0o777, why).toBe(MODE);
  const left = (await readdir(root, { recursive: true })).filter((name) => name.includes('.harness-'));
  expect(left, why).toEqual([]);
}

function hashOf(state: FileState | undefined): string | undefined {
  if (state?.kind === 'link') return versionOf(Buffer.from(state.target));
  return state?.kind === 'file' ? state.hash : undefined;
}

function told(events: readonly SessionEvent[]): EventOf<'notice'> | undefined {
  const notices = events.filter((event) => event.type === 'notice');
  return notices.findLast(({ toModel }) => toModel !== undefined);
}

/** Those of the files that the model is told of. */
function namedIn(toModel = ''): readonly string[] {
  return NAMES.filter((name) => new RegExp(`[:,] ${name}[,.]`).test(toModel));
}

async function eachKill(act: Act, check: (folder: string, id: string, why: string) => Promise<void>) {
  const bundle = await bundleTo(await tempDir(), 'think-until-killed.ts');
  for (let nth = 1; ; nth += 1) {
    const folder = await tempDir();
    const id = await prepare(folder, act);
    if (!(await killedAt(bundle, folder, id, act, nth))) {
      expect(nth, 'there were steps to be killed at').toBeGreaterThan(3);
      return;
    }
    await check(folder, id, `${act}, killed before its change ${nth}`);
  }
}

test.skipIf(process.platform === 'win32')(
  'a restore that is killed is closed; undo goes on with it, and redo leads to all that the agent had made',
  async () => {
    await eachKill('undo', async (folder, id, why) => {
      await reopen(folder, id, async (session) => {
        await expectKnown(folder, session.events, why);
        expect(session.events.findLast(({ type }) => type === 'restored')).toMatchObject({
          interrupted: true,
        });
        const notice = session.events.findLast((event) => event.type === 'notice');
        expect(notice?.message).toMatch(/closed during a restore/);
        const contents = await contentsOf(folder);
        const done = NAMES.filter((_, index) => contents[index] === OLD[index]);
        expect(namedIn(told(session.events)?.toModel), `the model is told of: ${why}`).toEqual(done);
        await restore(session, 1);
        expect(await contentsOf(folder), why).toEqual(OLD);
        await redo(session);
        expect(await contentsOf(folder), why).toEqual(NEW);
        expect(undoStackOf(session.events).redo, why).toBeUndefined();
      });
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'redo alone takes back what a killed restore had done, and a killed redo can be done again',
  async () => {
    const check = async (folder: string, id: string, why: string) => {
      await reopen(folder, id, async (session) => {
        await expectKnown(folder, session.events, why);
        await redo(session);
        expect(await contentsOf(folder), why).toEqual(NEW);
        await restore(session, 1);
        expect(await contentsOf(folder), why).toEqual(OLD);
      });
    };
    await eachKill('undo', check);
    await eachKill('redo', check);
  },
);

test.skipIf(process.platform === 'win32')(
  'undo takes back what a killed redo had done, and redo leads to all of it again',
  async () => {
    await eachKill('redo', async (folder, id, why) => {
      await reopen(folder, id, async (session) => {
        const { undoTo } = undoStackOf(session.events);
        if (undoTo === undefined) return expect(await contentsOf(folder), why).toEqual(OLD);
        await restore(session, undoTo);
        expect(await contentsOf(folder), why).toEqual(OLD);
        expect(undoStackOf(session.events).undoTo, why).toBeUndefined();
        await redo(session);
        expect(await contentsOf(folder), why).toEqual(NEW);
        expect(undoStackOf(session.events).redo, why).toBeUndefined();
      });
    });
  },
);

test.skipIf(process.platform === 'win32')(
  'a rejection that is killed is closed, and the model is told of what was done of it',
  async () => {
    await eachKill('reject', async (folder, id, why) => {
      const end = await reopen(folder, id, async (session) => {
        await expectKnown(folder, session.events, why);
        const contents = await contentsOf(folder);
        const done = NAMES.filter((_, index) => contents[index] !== NEW[index]);
        const toModel = told(session.events)?.toModel ?? '';
        const { root } = places(folder);
        expect(
          NAMES.filter((name) => toModel.includes(join(root, name))),
          why,
        ).toEqual(done);
        return session.events.length;
      });
      await reopen(folder, id, async (session) => {
        expect(session.events.length, `told once: ${why}`).toBe(end);
        await restore(session, 1);
        expect(await contentsOf(folder), why).toEqual(OLD);
        await redo(session);
        await expectKnown(folder, session.events, why);
      });
    });
  },
);
