import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ARCHIVE_VERSION, type ArchivePart } from '../archive/archive-format.ts';
import type { ArchiveReader } from '../archive/read-archive.ts';
import { BlobFiles } from '../blobs/blob-files.ts';
import { AttachmentFiles } from '../composer/attachment-files.ts';
import { readRange } from '../fs/read-file.ts';
import { logLines } from '../log/log-lines.ts';
import { recordOf } from '../log/read-record.ts';
import { type LogSurvey, surveyLog } from '../log/survey-log.ts';

/** The source of an import: an archive, or a log that is read like one. */
export type Archive = Pick<ArchiveReader, 'header' | 'parts' | 'close'>;

/**
 * Presents the log at `path` and the files beside it as an export. The log may be a copy that Harness kept
 * beside a session's log. Returns undefined if the file is not a log.
 */
export async function logAsArchive(path: string): Promise<Archive | undefined> {
  const session = await sessionOf(path);
  if (session === undefined) return undefined;
  const survey = await surveyLog(path);
  const { seq: events, hash: head } = survey.head;
  const format = 'harness-session';
  return {
    header: { format, version: ARCHIVE_VERSION, product: '', session, events, head },
    parts: () => partsOf(path, survey),
    close: () => {},
  };
}

/** Maximum bytes of a log's first record, which holds a folder and a product. */
const LONGEST_FIRST = 64 * 1024;

/**
 * Reads the session id from the first record. The read is limited, because another file may be one line of
 * any length.
 */
async function sessionOf(path: string): Promise<string | undefined> {
  const { size } = await stat(path);
  for await (const [first] of logLines(path, { to: Math.min(size, LONGEST_FIRST) }))
    if (first) return recordOf(first)?.session;
  return undefined;
}

async function* partsOf(path: string, survey: LogSurvey): AsyncGenerator<ArchivePart> {
  const { bytes, blobs, attachments } = survey;
  yield { file: 'events.jsonl', content: { bytes, stream: wholeRecords(path, survey) } };
  const folder = dirname(path);
  const versions = new BlobFiles(join(folder, 'blobs'));
  for (const hash of blobs) {
    const content = await versions.get(hash).catch(() => undefined);
    if (content) yield { file: `blobs/${hash}`, content };
  }
  const images = new AttachmentFiles(dirname(folder));
  for (const file of attachments) {
    const content = await images.bytes(file);
    if (content) yield { file, content };
  }
}

async function* wholeRecords(path: string, { bytes, isSound }: LogSurvey): AsyncGenerator<Uint8Array> {
  yield* readRange(path, 0, bytes);
  if (!isSound) yield Buffer.from('\n');
}
