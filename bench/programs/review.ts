// Measures the review of a file that a session has edited a thousand times. Argument: a folder. Prints
// milliseconds of processor time and bytes as JSON.
import { join } from 'node:path';
import { SessionReview } from '../../extension/core/review/session-review.ts';
import { BlobFiles } from '../../extension/node/blobs/blob-files.ts';
import type { EventDraft, FileState, SessionEvent } from '../../extension/protocol/events.ts';
import { processorTimeOf } from './timing.ts';

const [folder = ''] = process.argv.slice(2);
const EDITS = 1_000;
const PATH = '/file.ts';
const blobs = new BlobFiles(join(folder, 'review'));
const lines = Array.from(
  { length: 20_000 },
  (_, row) => `const value${row} = compute(${row}, "a text"); // ${row}`,
);

async function keep(like?: FileState): Promise<FileState> {
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const hash = await blobs.put(bytes, like?.kind === 'file' ? like.hash : undefined);
  return { kind: 'file', hash, size: bytes.length, mode: 0o644 };
}

const events: SessionEvent[] = [];
const first = await keep();
let last = first;
for (let edit = 1; edit <= EDITS; edit += 1) {
  lines.splice((edit * 7_919) % lines.length, 1, `const edited${edit} = compute(${edit}, "another text");`);
  const after = await keep(last);
  const changes = [{ path: PATH, before: last, after }];
  const draft: EventDraft = { type: 'files_changed', id: `call-${edit}`, by: 'tool', changes };
  events.push({ ...draft, seq: edit, timestamp: 0, session: 'bench', prev: '' });
  last = after;
}

/** The necessary minimum: reads each version once. */
const reading = await processorTimeOf(async () => {
  const read = new BlobFiles(join(folder, 'review'));
  for (const event of events)
    if (event.type === 'files_changed')
      for (const { after } of event.changes) if (after.kind === 'file') await read.get(after.hash);
});
const review = new SessionReview(new BlobFiles(join(folder, 'review')));
review.apply(events);
const fold = await processorTimeOf(() => review.file(PATH, () => Promise.resolve({ state: last })));
console.log(JSON.stringify({ fold, reading }));
