import { stat } from 'node:fs/promises';
import { NoSessionError } from '../core/ports/event-store.ts';
import { say } from '../protocol/say.ts';
import { AttachmentFiles } from './attachment-files.ts';
import { BlobFiles } from './blob-files.ts';
import { ifPresent } from './file-errors.ts';
import { blobsOf, isSessionId, logOf } from './session-files.ts';
import { surveyLog } from './survey-log.ts';
import { verifyLog } from './verify-log.ts';

export interface SessionProblem {
  /** Below the session's folder, or that of all sessions. */
  readonly file: string;
  /** Counted from 1, with the byte where it begins. */
  readonly line?: number;
  readonly at?: number;
  /** One sentence. */
  readonly message: string;
}

export interface SessionReport {
  readonly session: string;
  readonly events: number;
  /** Of the log. */
  readonly bytes: number;
  /** SHA-256 (hex) of its last line, which vouches for all of it. */
  readonly head: string;
  /** Versions of files, and images, that are there and sound. */
  readonly versions: number;
  readonly images: number;
  /** None where all of it is as it was written. */
  readonly problems: readonly SessionProblem[];
}

/** Looks through session `id` below `root`: its log's chain and numbers, and the bytes that it names. Changes nothing. Rejects where there is no such session. */
export async function verifySession(root: string, id: string): Promise<SessionReport> {
  const path = logOf(root, id);
  if (!isSessionId(id) || !(await ifPresent(stat(path)))) throw new NoSessionError(id);
  const { problems, inherited, events, bytes, head } = await verifyLog(path);
  const { blobs, attachments } = await surveyLog(path);
  const lostBlobs = await lostBlobsOf(blobsOf(root, id), blobs);
  const lostImages = await lostImagesOf(root, attachments);
  return {
    session: id,
    events,
    bytes,
    head,
    versions: blobs.size - lostBlobs.length,
    images: attachments.size - lostImages.length,
    problems: [
      ...[...problems, ...inherited].map((problem) => ({ file: 'events.jsonl', ...problem })),
      ...lostBlobs,
      ...lostImages,
    ],
  };
}

async function lostBlobsOf(folder: string, hashes: ReadonlySet<string>): Promise<SessionProblem[]> {
  const blobs = new BlobFiles(folder);
  const problems: SessionProblem[] = [];
  for (const hash of hashes) {
    await blobs.get(hash).catch((error: Error) => {
      problems.push({ file: `blobs/${hash}`, message: error.message });
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
