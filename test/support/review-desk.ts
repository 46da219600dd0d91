// Changes of the agent in real files, and what decisions on them need.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileTree } from '../../extension/core/ports/file-tree.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { readCurrentFile } from '../../extension/core/review/current-file.ts';
import type { FileReview, Rejected } from '../../extension/core/review/file-review.ts';
import { SessionReview } from '../../extension/core/review/session-review.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { calls, type Scenario, says, scenario } from './scenario.ts';

/** A review of the session as it is in the log now, as another window would read it. */
export async function reviewOf(at: Scenario, name = 'file.txt'): Promise<FileReview> {
  return (await choice(at, name)).review;
}

/** All of a file, as it is chosen in the tree. */
export async function choice(at: Scenario, name: string): Promise<Rejected> {
  const review = new SessionReview(at.store.blobs(at.session.id));
  review.apply(await at.store.read(at.session.id));
  const path = join(at.root, name);
  const look = (each: string) => readCurrentFile(filesOf(at), each);
  const found = await review.file(path, look);
  const [rejected] = found ? review.rejected([{ review: found }]) : [];
  if (!rejected) throw new Error('never changed');
  return rejected;
}

export function filesOf({ ports }: Scenario): FileTree {
  if (!ports.files) throw new Error('a scenario has files');
  return ports.files;
}

export function portsOf(at: Scenario) {
  let ids = 0;
  return {
    files: filesOf(at),
    workspace: at.ports.workspace,
    scan: at.ports.scan,
    blobs: at.store.blobs(at.session.id),
    clock: systemClock,
    record: (...drafts: readonly EventDraft[]) => at.session.record(...drafts),
    newId: () => `review-${ids++}`,
  };
}

/** The agent has edited file.txt. */
export async function edited(before: string, after: string) {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'file.txt');
  await writeFile(path, before);
  const model = new ScriptedModel(
    calls(1, ['read', { path: 'file.txt' }]),
    calls(2, ['write', { path: 'file.txt', content: after }]),
    says('Done.'),
  );
  await at.session.prompt('Change it', at.settings(model));
  return { at, path };
}
