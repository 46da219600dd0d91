import { readFile, stat } from 'node:fs/promises';
import type { SecretFilter } from '../core/secrets/secret-filter.ts';
import type { ChainHead } from '../core/session/chain.ts';
import { CHAIN_START } from '../core/session/chain.ts';
import { say } from '../protocol/say.ts';
import { ARCHIVE_VERSION, type ArchivePart } from './archive-format.ts';
import { AttachmentFiles } from './attachment-files.ts';
import { BlobFiles } from './blob-files.ts';
import { ifPresent } from './file-errors.ts';
import { holdsSecret, secretIn } from './holds-secret.ts';
import { readRange } from './read-range.ts';
import { relinkedLines } from './relink-log.ts';
import { blobsOf, isSessionId, logOf, recordingOf } from './session-files.ts';
import { type LogSurvey, surveyLog } from './survey-log.ts';
import { writeArchive } from './write-archive.ts';

export interface ExportPlace {
  /** The folder of all sessions. */
  readonly root: string;
  readonly id: string;
  readonly secrets: SecretFilter;
  readonly product: string;
}

/** What an exported file holds, and what not. */
export interface ExportSummary {
  readonly events: number;
  readonly versions: number;
  readonly images: number;
  readonly hasRecording: boolean;
  /** There is a recording, which is left out since it holds secrets. */
  readonly isRecordingWithheld: boolean;
  /** Events in which secrets were hidden: they are from before Harness hid them at once. */
  readonly hidden: number;
  /** Versions of files that are left out, since they hold secrets. */
  readonly withheld: number;
  /** Versions of files and images that are lost. */
  readonly missing: number;
  /** The log was damaged: what is intact of it is in the file. */
  readonly isMended: boolean;
}

/**
 * Puts session `id` into the file at `path`, from which another machine can go on. A session that is being written is
 * exported as it is now. Rejects where there is no such session, or where the file cannot be written.
 */
export async function exportSession(place: ExportPlace, path: string): Promise<ExportSummary> {
  const log = logOf(place.root, place.id);
  if (!isSessionId(place.id) || !(await ifPresent(stat(log))))
    throw new Error(say('There is no session “{0}”.', place.id));
  const exporter = new Exporter(place, await surveyLog(log, place.secrets));
  return exporter.write(path);
}

class Exporter {
  readonly #place: ExportPlace;
  readonly #survey: LogSurvey;
  readonly #counts = {
    versions: 0,
    images: 0,
    hasRecording: false,
    isRecordingWithheld: false,
    withheld: 0,
    missing: 0,
  };

  constructor(place: ExportPlace, survey: LogSurvey) {
    this.#place = place;
    this.#survey = survey;
  }

  async write(path: string): Promise<ExportSummary> {
    const { id, product } = this.#place;
    const { isSound, secrets } = this.#survey;
    const relinked = !isSound || secrets > 0;
    const { head, bytes } = relinked ? await this.#measure() : this.#survey;
    const header = {
      format: 'harness-session',
      version: ARCHIVE_VERSION,
      product,
      session: id,
      events: head.seq,
      head: head.hash,
      ...(relinked && { relinked }),
    } as const;
    const stream = relinked ? this.#relinked() : readRange(logOf(this.#place.root, id), 0, bytes);
    await writeArchive(path, header, this.#parts({ file: 'events.jsonl', content: { bytes, stream } }));
    return { events: head.seq, hidden: secrets, isMended: !isSound, ...this.#counts };
  }

  async *#parts(log: ArchivePart): AsyncGenerator<ArchivePart> {
    yield log;
    yield* this.#recording();
    for (const hash of this.#survey.blobs) yield* this.#version(hash);
    for (const name of this.#survey.attachments) yield* this.#image(name);
  }

  async *#recording(): AsyncGenerator<ArchivePart> {
    const path = recordingOf(this.#place.root, this.#place.id);
    const found = await ifPresent(stat(path));
    if (!found) return;
    const { hasHidden } = this.#survey;
    this.#counts.isRecordingWithheld = hasHidden || (await holdsSecret(path, this.#place.secrets));
    if (this.#counts.isRecordingWithheld) return;
    this.#counts.hasRecording = true;
    yield {
      file: 'recording.jsonl',
      content: { bytes: found.size, stream: readRange(path, 0, found.size) },
    };
  }

  async *#version(hash: string): AsyncGenerator<ArchivePart> {
    const { root, id, secrets } = this.#place;
    const content = await new BlobFiles(blobsOf(root, id)).get(hash).catch(() => undefined);
    if (!content) this.#counts.missing += 1;
    else if (secretIn(content, secrets)) this.#counts.withheld += 1;
    else {
      this.#counts.versions += 1;
      yield { file: `blobs/${hash}`, content };
    }
  }

  async *#image(name: string): AsyncGenerator<ArchivePart> {
    const path = new AttachmentFiles(this.#place.root).path(name);
    const content = path && (await ifPresent(readFile(path)));
    if (!content) {
      this.#counts.missing += 1;
      return;
    }
    this.#counts.images += 1;
    yield { file: name, content };
  }

  async #measure(): Promise<{ readonly head: ChainHead; readonly bytes: number }> {
    let [head, bytes] = [CHAIN_START, 0];
    for await (const relinked of this.#lines()) {
      head = relinked.head;
      bytes += Buffer.byteLength(relinked.line) + 1;
    }
    return { head, bytes };
  }

  async *#relinked(): AsyncGenerator<Uint8Array> {
    for await (const { line } of this.#lines()) yield Buffer.from(`${line}\n`);
  }

  #lines() {
    const { root, id, secrets } = this.#place;
    const stretch = { to: this.#survey.bytes };
    return relinkedLines(logOf(root, id), id, (draft) => secrets.draft(draft), stretch);
  }
}
