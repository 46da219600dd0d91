import { expect, test } from 'vitest';
import { FileHistory } from '../../../extension/core/checkpoints/file-history.ts';
import { restoreIntoCopy } from '../../../extension/core/checkpoints/restore/copy-to-worktree.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import type { EventDraft, FileState } from '../../../extension/protocol/events.ts';
import { ABSENT, file, makes } from '../../support/file-events.ts';
import { storedEvents } from '../../support/panel-events.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { bash, undoDesk, write } from '../../support/undo-desk.ts';

const started = (turn = 1): EventDraft => ({ type: 'turn_started', turn });
const ended = (turn = 1): EventDraft => ({ type: 'turn_ended', turn, reason: 'done' });
const finds = (state: FileState, id = 'call', path = '/a'): EventDraft => ({
  type: 'checkpoint',
  id,
  files: [{ path, state }],
});
const begins = (id = 'call'): EventDraft => ({ type: 'tool_started', id });
const says: EventDraft = { type: 'text', content: 'x' };

/** What lies at `/a` after each event: the hashes. */
function shownIn(drafts: readonly EventDraft[]): readonly (string | undefined)[] {
  const events = storedEvents(drafts);
  const files = FileHistory.of(events);
  return events.map(({ seq }) => {
    const state = files.stateAt('/a', seq);
    return state?.kind === 'file' ? state.hash : state?.kind;
  });
}

test('what the user did between two runs is there from the end of the first one on', () => {
  const first = [started(), finds(file('0')), makes(file('0'), file('1')), says, ended()];
  const second = [started(2), says, finds(file('user')), makes(file('user'), file('2')), ended(2)];
  expect(shownIn([...first, ...second])).toEqual([
    ...['0', '0', '1', '1', 'user'],
    ...['user', 'user', 'user', '2', '2'],
  ]);
});

test('what the user did between two calls of a run is there behind the first one', () => {
  const work = [makes(file('0'), file('1')), says, says, finds(file('user')), makes(file('user'), file('2'))];
  expect(shownIn([started(), ...work, ended()])).toEqual(['0', '1', 'user', 'user', 'user', '2', '2']);
});

test('what a call found is known, also where it then changed nothing, and so is what a command found', () => {
  const failed = [started(), makes(ABSENT, file('1')), ended(), started(2), finds(file('user')), ended(2)];
  const command = [started(3), begins('call'), makes(file('later'), file('3'))];
  expect(shownIn([...failed, ...command])).toEqual([
    ...['absent', '1', 'user', 'user', 'user', 'later'],
    ...['later', 'later', '3'],
  ]);
});

test('what a command found before somebody else’s change says nothing of what is there behind that', () => {
  const other: EventDraft = { ...makes(file('0'), file('1')), id: 'other' } as EventDraft;
  expect(shownIn([begins(), other, makes(file('0'), file('2')), says])).toEqual(['0', '1', '2', '2']);
});

test('a version that was not read is no other one as long as size and mode are the same', () => {
  const unread: FileState = { kind: 'file', hash: '', size: 1, mode: 0o644, unkept: true };
  const work = [makes(file('0'), file('1')), says, makes(unread, file('2'))];
  expect(shownIn(work)).toEqual(['1', '1', '2']);
  expect(shownIn([...work, says, makes({ ...unread, size: 9 }, file('3'))])).toEqual([
    '1',
    '1',
    '2',
    '',
    '3',
  ]);
});

test('a path that was looked at and never changed is as it is now, and a user’s edit is no change of the session', () => {
  expect(shownIn([finds(file('0')), says])).toEqual([undefined, undefined]);
  const events = storedEvents([
    ...[finds(file('user')), ended(), makes(file('0'), file('1')), makes(file('1'), file('0'))],
    ...[ended(), finds(file('user'))],
  ]);
  const files = FileHistory.of(events);
  expect(events.map(({ seq }) => files.isChangedAt('/a', seq))).toEqual([
    ...[false, false, true, false, false, false],
  ]);
});

test('what is shown, what a restore goes to and what a copy gets is the same version', async () => {
  const { at, put, run, session, store } = await undoDesk();
  await put('a.txt', 'a0\n');
  await run(write('a.txt', 'a1\n'));
  await put('a.txt', 'the work of the user\n');
  const between = await run(['read', { path: 'a.txt' }], write('a.txt', 'a2\n'), bash('echo a3 > a.txt'));
  const checkpoints = session.events.filter(({ type }) => type === 'checkpoint');
  for (const seq of [between, checkpoints.at(-1)?.seq ?? 0]) {
    const [planned] = await session.planRestore(seq);
    const shown = FileHistory.of(session.events).stateAt(at('a.txt'), seq);
    expect(shown, `event ${seq}`).toEqual(planned?.then);
    const copy = await tempDir();
    const ports = { files: nodeFileTree, blobs: store.blobs(session.id) };
    const copied = [{ folder: at('.'), at: copy }];
    await restoreIntoCopy(FileHistory.of(session.events), seq, copied, ports);
    expect(Buffer.from(await nodeFileTree.read(`${copy}/a.txt`, 100)).toString()).toBe(
      'the work of the user\n',
    );
  }
});
