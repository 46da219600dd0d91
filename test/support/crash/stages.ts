// What can be done with a session besides asking it something: each as the editor does it.
import { join } from 'node:path';
import { undoStackOf } from '../../../extension/core/checkpoints/undo-stack.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { readCurrentFile } from '../../../extension/core/review/current-file.ts';
import { rejectChanges } from '../../../extension/core/review/decide.ts';
import { SessionReview } from '../../../extension/core/review/session-review.ts';
import type { Session } from '../../../extension/core/session/session.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { places, settingsWith, type Workplace } from './session.ts';
import { halvesOfWork } from './work.ts';

const NOTHING_CHOSEN = new Map();

/** Takes back all that the session has changed behind event `to`. */
export async function restore(session: Session, to: number): Promise<void> {
  await session.restore({ to, plan: await session.planRestore(to), choices: NOTHING_CHOSEN });
}

/** Takes the last restore back. */
export async function redo(session: Session): Promise<void> {
  const { redo: next } = undoStackOf(session.events);
  if (!next) throw new Error('nothing was restored');
  const { to, restored } = next;
  const plan = await session.planRestore(to);
  await session.restore({ to, plan, choices: NOTHING_CHOSEN, redoes: restored.id });
}

/** Rejects what the agent has made of files of the workspace, in the review. */
export async function reject(
  session: Session,
  { ports, store }: Workplace,
  folder: string,
  ...names: readonly string[]
): Promise<void> {
  const blobs = store.blobs(session.id);
  const changes = new SessionReview(blobs);
  changes.apply(session.events);
  const rejected = [];
  for (const name of names) {
    const path = join(places(folder).root, name);
    const review = await changes.file(path, (each) => readCurrentFile(nodeFileTree, each));
    if (!review) throw new Error(`${name} was never changed`);
    rejected.push({ review });
  }
  let count = session.events.length;
  const desk = {
    files: nodeFileTree,
    workspace: ports.workspace,
    blobs,
    clock: systemClock,
    record: session.record.bind(session),
    newId: () => `review_${++count}`,
  };
  await rejectChanges(desk, rejected);
}

export function compact(session: Session) {
  const summary = new ScriptedModel([
    { type: 'text', text: 'What has been done so far.' },
    { type: 'done', stop: 'end' },
  ]);
  return session.compact(settingsWith(summary));
}

/** Takes everything back and brings it back, and rejects two files and brings those back. Ends with what was there. */
export async function thinkAgain(session: Session, workplace: Workplace, folder: string): Promise<void> {
  const end = session.events.length;
  await restore(session, 1);
  await redo(session);
  await reject(session, workplace, folder, 'b.txt', 'sub/a.txt');
  await restore(session, end);
}

/** Two runs of many tools, and a compaction between them; all of it taken back, and done again. */
export async function doEverything(session: Session, workplace: Workplace, folder: string): Promise<void> {
  const [beginning, end] = halvesOfWork();
  await session.prompt('Go', settingsWith(beginning));
  await compact(session);
  await session.prompt('Go on', settingsWith(end));
  await thinkAgain(session, workplace, folder);
}
