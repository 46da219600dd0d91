import { stat } from 'node:fs/promises';
import { NoSessionError } from '../../core/ports/session-store.ts';
import { say } from '../../protocol/say.ts';
import { BlobFiles } from '../blobs/blob-files.ts';
import { AttachmentFiles } from '../composer/attachment-files.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { eventsCutOff } from '../log/log-index.ts';
import { logLines } from '../log/log-lines.ts';
import { blobsOf, isSessionId, logOf, recordingOf } from '../log/session-files.ts';
import { surveyLog } from '../log/survey-log.ts';
import { verifyLog } from '../log/verify-log.ts';
import { type RecordingReport, verifyRecording } from '../recording/verify-recording.ts';

export interface SessionProblem {
  /** Path below the session's folder, or below the folder of all sessions. */
  readonly file: string;
  /** Counted from 1; `at` is the byte where the line begins. */
  readonly line?: number;
  readonly at?: number;
  /** One sentence. */
  readonly message: string;
}

export interface SessionReport {
  readonly session: string;
  readonly events: number;
  /** Size of the log. */
  readonly bytes: number;
  /** SHA-256 (hex) of the log's last line, which vouches for the whole log. */
  readonly head: string;
  /** Number of file versions, and of images, that exist and are sound. */
  readonly versions: number;
  readonly images: number;
  /** Undefined if the session has no recording. */
  readonly recording: Pick<RecordingReport, 'lines' | 'bytes' | 'isCut'> | undefined;
  /** Empty if everything is as Harness wrote it. */
  readonly problems: readonly SessionProblem[];
}

/**
 * Verifies session `id` below `root`: its log's chain and numbers, the bytes that the log names, and the
 * recording. Changes nothing. Rejects if there is no such session.
 */
export async function verifySession(root: string, id: string): Promise<SessionReport> {
  const path = logOf(root, id);
  if (!isSessionId(id) || !(await ifPresent(stat(path)))) throw new NoSessionError(id);
  // Another process may be writing. Measures the recording before the log, so that the recording is not
  // ahead.
  const recorded = (await ifPresent(stat(recordingOf(root, id))))?.size;
  const times: number[] = [];
  const log = await verifyLog(path, ({ timestamp }) => times.push(timestamp));
  const { events, bytes, head } = log;
  const logProblems = [...log.problems, ...log.inherited, ...(await cutOffIn(path, log.last))];
  const { blobs, attachments, prefixes } = await surveyLog(path, undefined, logLines(path, { to: bytes }));
  const isPrefix = (hash: string) => prefixes.has(hash);
  const versions = [...blobs].filter((hash) => !isPrefix(hash));
  const lostVersions = await lostBlobsOf(blobsOf(root, id), versions);
  const lostPrefixes = await lostBlobsOf(blobsOf(root, id), [...blobs].filter(isPrefix), PREFIX_LOST);
  const lostImages = await lostImagesOf(root, attachments);
  // A damaged log has little in common with its recording, so their times are not compared.
  const recording =
    recorded === undefined
      ? undefined
      : await verifiedRecording(root, id, recorded, logProblems.length === 0 ? times : undefined);
  return {
    session: id,
    events,
    bytes,
    head,
    versions: versions.length - lostVersions.length,
    images: attachments.size - lostImages.length,
    recording: recording?.found,
    problems: [
      ...logProblems.map((problem) => ({ file: 'events.jsonl', ...problem })),
      ...lostVersions,
      ...lostPrefixes,
      ...lostImages,
      ...(recording?.problems.map((problem) => ({ file: 'recording.jsonl', ...problem })) ?? []),
    ],
  };
}

async function cutOffIn(log: string, last: number) {
  const lost = await eventsCutOff(log, last);
  if (lost === 0) return [];
  return [{ message: say('The end of the log was cut off: its index lists {0} more records.', lost) }];
}

async function verifiedRecording(
  root: string,
  id: string,
  size: number,
  times: readonly number[] | undefined,
) {
  const { problems, ...found } = await verifyRecording(recordingOf(root, id), times, size);
  return { found, problems };
}

const PREFIX_LOST = say('The system prompt and tools of some requests are missing or damaged.');

/** `lost` is the message for blobs that are not file versions. */
async function lostBlobsOf(
  folder: string,
  hashes: readonly string[],
  lost?: string,
): Promise<SessionProblem[]> {
  const blobs = new BlobFiles(folder);
  const problems: SessionProblem[] = [];
  for (const hash of hashes) {
    await blobs.get(hash).catch((error: Error) => {
      problems.push({ file: `blobs/${hash}`, message: lost ?? error.message });
    });
  }
  return problems;
}

async function lostImagesOf(root: string, names: ReadonlySet<string>): Promise<SessionProblem[]> {
  const images = new AttachmentFiles(root);
  const problems: SessionProblem[] = [];
  for (const name of names) {
    if (!(await images.bytes(name)))
      problems.push({ file: name, message: say('This image is missing or damaged.') });
  }
  return problems;
}
