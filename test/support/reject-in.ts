import { join } from 'node:path';
import { readCurrentFile } from '../../extension/core/review/current-file.ts';
import { rejectChanges } from '../../extension/core/review/decide.ts';
import { SessionReview } from '../../extension/core/review/session-review.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import type { Scenario } from './scenario.ts';

/** The user rejects lines of a file, each with the sign before it; without any, all of it. */
export async function rejectIn(
  { session, store, ports, root }: Pick<Scenario, 'session' | 'store' | 'ports' | 'root'>,
  name: string,
  lines: readonly string[],
): Promise<void> {
  const blobs = store.blobs(session.id);
  const path = join(root, name);
  const folded = new SessionReview(blobs);
  folded.apply(session.events);
  const look = (each: string) => readCurrentFile(nodeFileTree, each);
  const review = await folded.file(path, look);
  if (!review) throw new Error('never changed');
  const cells = review.hunks.flatMap((hunk) => hunk.cells);
  const chosen = cells.filter(({ sign, line }) => lines.includes(sign + line.text));
  if (chosen.length !== lines.length) throw new Error('not pending');
  const ids = lines.length > 0 ? new Set(chosen.map(({ line }) => line.id)) : undefined;
  const { workspace, scan } = ports;
  const id = `review_${session.events.length}`;
  const decisions = {
    files: nodeFileTree,
    workspace,
    scan,
    blobs,
    clock: systemClock,
    record: session.record.bind(session),
    newId: () => id,
  };
  await rejectChanges(decisions, folded.rejected([{ review, ids }]));
}
