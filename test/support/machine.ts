import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { SecretFilter } from '../../extension/core/secrets/secret-filter.ts';
import { AttachmentFiles } from '../../extension/node/composer/attachment-files.ts';
import { recordingOf } from '../../extension/node/log/session-files.ts';
import { JsonlSessionStore } from '../../extension/node/sessions/jsonl-session-store.ts';
import { exportSession } from '../../extension/node/transfer/export-session.ts';
import { importSession } from '../../extension/node/transfer/import-session.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { pngOf } from './images.ts';
import { tempDir } from './temp-dir.ts';

const clock = new ManualClock(1_700_000_000_000);
const secrets = new SecretFilter();
/** The first line of a recording. */
export const headerLine = (version: number) =>
  `${JSON.stringify({ kind: 'recording', version, session: 's' })}\n`;
export const RECORDING = headerLine(2);

/** Where the sessions of a machine are, and how they get from and to it. */
export async function machine() {
  const root = await tempDir();
  const store = new JsonlSessionStore(root, clock);
  return {
    root,
    store,
    /** `largest`: bytes that the file may unpack to. */
    export: async (id: string, largest?: number) => {
      const path = join(root, `${id}.harness-session`);
      const place = { root, id, secrets, product: 'test', largest };
      return { path, summary: await exportSession(place, path) };
    },
    import: (path: string, cwd = '/there', largest?: number) =>
      importSession({ root, clock, cwd, ...(largest !== undefined && { largest }) }, path),
    /** What lies below the folder of sessions, but for what was exported. */
    names: async () => (await readdir(root)).filter((name) => !name.endsWith('-session')).sort(),
  };
}

/** A session with a version of a file, an image and a recording. */
export async function session(place: Awaited<ReturnType<typeof machine>>, ...more: readonly EventDraft[]) {
  const log = await place.store.create({ cwd: '/here', product: 'test' });
  const hash = await log.blobs.put(Buffer.from('old text'));
  const image = await new AttachmentFiles(place.root).keep(pngOf(2, 2), 'x.png');
  const before = { kind: 'file', hash, size: 8, mode: 0o644 } as const;
  await log.append([
    { type: 'user', content: 'Look ✓', attachments: [image] },
    {
      type: 'files_changed',
      id: 'c1',
      by: 'tool',
      changes: [{ path: '/here/a', before, after: { kind: 'absent' } }],
    },
    ...more,
  ]);
  await log.close();
  await writeFile(recordingOf(place.root, log.id), RECORDING);
  return { id: log.id, hash, image };
}
