import { stat } from 'node:fs/promises';
import type { ChainHead } from '../../core/log/hash-chain.ts';
import { CHAIN_START } from '../../core/log/hash-chain.ts';
import { NoSessionError } from '../../core/ports/session-store.ts';
import type { SecretFilter } from '../../core/secrets/secret-filter.ts';
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { ARCHIVE_VERSION, type ArchivePart, LARGEST_ARCHIVE } from '../archive/archive-format.ts';
import { writeArchive } from '../archive/write-archive.ts';
import { BlobFiles } from '../blobs/blob-files.ts';
import { AttachmentFiles } from '../composer/attachment-files.ts';
import { ifPresent, isUnread } from '../fs/file-errors.ts';
import { readRange } from '../fs/read-file.ts';
import { secretIn } from '../log/find-secrets.ts';
import { eventsCutOff } from '../log/log-index.ts';
import { type LogLine, logLines } from '../log/log-lines.ts';
import { intactLines, readWholeLog } from '../log/read-log.ts';
import { blobsOf, isSessionId, logOf, recordingOf } from '../log/session-files.ts';
import { type LogSurvey, surveyLog } from '../log/survey-log.ts';
import type { RecordedSetup } from '../recording/recording-secrets.ts';
import { setupWithoutSecrets } from '../recording/recording-secrets.ts';
import { missingHeader, type TimedDraft } from '../sessions/missing-header.ts';
import { relinkedLines } from './relink-log.ts';

export interface ExportPlace {
  /** The folder of all sessions. */
  readonly root: string;
  readonly id: string;
  readonly secrets: SecretFilter;
  readonly product: string;
  /** Maximum unpacked size in bytes; the default is the limit of an import. */
  readonly largest?: number | undefined;
}

/** What an exported file contains, and what it lacks. */
export interface ExportSummary extends RecordedSetup {
  readonly events: number;
  readonly versions: number;
  /** Number of stored request beginnings: the system prompt and the tools. */
  readonly prefixes: number;
  readonly images: number;
  readonly hasRecording: boolean;
  /** The export leaves out the recording, because it may hold secrets. */
  readonly isRecordingWithheld: boolean;
  /** The recording does not fit into the file. `unfit` counts it, too. */
  readonly isRecordingUnfit: boolean;
  /** Number of events in which the export masked secrets. They predate masking at write time. */
  readonly hidden: number;
  /** Number of file versions that the export leaves out, because they hold secrets. */
  readonly withheld: number;
  /**
   * Number of items that do not fit into a file that an import accepts: the recording, images and the oldest
   * file versions.
   */
  readonly unfit: number;
  /** Number of file versions and images that are lost or damaged. */
  readonly missing: number;
  /**
   * Number of file versions, images and recordings that exist and could not be read. They may be sound, and
   * the export leaves them out.
   */
  readonly unread: number;
  /** The log was damaged; the file contains its intact part. */
  readonly isRepaired: boolean;
}

/**
 * Exports session `id` to the file at `path`, from which another machine can continue. A session that is
 * being written is exported in its current state. Rejects if there is no such session, or if the file cannot
 * be written.
 */
export async function exportSession(place: ExportPlace, path: string): Promise<ExportSummary> {
  const log = logOf(place.root, place.id);
  if (!isSessionId(place.id) || !(await ifPresent(stat(log)))) throw new NoSessionError(place.id);
  // Measures the recording before it reads the log. A log ahead of its recording can be replayed, and a
  // recording ahead of its log cannot.
  const recorded = (await ifPresent(stat(recordingOf(place.root, place.id))))?.size;
  const survey = await surveyLog(log, place.secrets);
  const isBroken = !survey.isSound;
  const isCutOff = (await eventsCutOff(log, survey.head.seq)) > 0;
  const found = isBroken ? await intactPart(log, place.secrets, !survey.isWhole) : wholeRecords(log, survey);
  const source = { ...found, isDamaged: found.isDamaged || isCutOff, recorded };
  const summary = await new Exporter(place, source, isBroken).write(path);
  return { ...summary, isRepaired: isBroken || isCutOff };
}

/** What is exported of a session. */
interface Source extends LogSource {
  /** Size of the recording in bytes; undefined if there is none. */
  readonly recorded: number | undefined;
}

/** What is exported of a log. */
interface LogSource {
  /** A part of the log is missing or was changed. */
  readonly isDamaged: boolean;
  readonly survey: LogSurvey;
  lines(): AsyncIterable<readonly LogLine[]>;
}

function wholeRecords(log: string, survey: LogSurvey): LogSource {
  return { isDamaged: false, survey, lines: () => logLines(log, { to: survey.bytes }) };
}

/** Returns the records that opening a damaged log would keep. */
async function intactPart(log: string, secrets: SecretFilter, isDamaged: boolean): Promise<LogSource> {
  const content = await readWholeLog(log);
  const lines = () => intactLines(log, content);
  return { isDamaged, survey: await surveyLog(log, secrets, lines()), lines };
}

const UNREAD = Symbol('unread');

/** Maximum overhead in bytes of a part, and of the first line and the last line together. */
const ROUND = 1_000;

function inBase64({ length }: Uint8Array): number {
  return Math.ceil(length / 3) * 4;
}

class Exporter {
  readonly #place: ExportPlace;
  readonly #source: Source;
  /** The log is not sound, so the export chains its lines anew. */
  readonly #isBroken: boolean;
  readonly #blobs: BlobFiles;
  #header: TimedDraft | undefined;
  /** Remaining unpacked size of the file, in bytes. */
  #room: number;
  #setup: RecordedSetup = { approvals: [], endpoints: [] };
  readonly #counts = {
    versions: 0,
    prefixes: 0,
    images: 0,
    hasRecording: false,
    isRecordingWithheld: false,
    isRecordingUnfit: false,
    withheld: 0,
    unfit: 0,
    missing: 0,
    unread: 0,
  };

  constructor(place: ExportPlace, source: Source, isBroken: boolean) {
    this.#place = place;
    this.#room = (place.largest ?? LARGEST_ARCHIVE) - ROUND;
    this.#blobs = new BlobFiles(blobsOf(place.root, place.id));
    this.#source = source;
    this.#isBroken = isBroken;
  }

  get #survey(): LogSurvey {
    return this.#source.survey;
  }

  async write(path: string): Promise<Omit<ExportSummary, 'isRepaired'>> {
    const { id, product } = this.#place;
    const { secrets, first, sessions } = this.#survey;
    this.#header = await missingHeader(this.#place.root, id, first);
    const isCopy = [...sessions].some((session) => session !== id);
    const relinked = this.#isBroken || secrets > 0 || isCopy;
    const { head, bytes } = relinked ? await this.#measure() : this.#survey;
    const header = {
      format: 'harness-session',
      version: ARCHIVE_VERSION,
      product,
      session: id,
      events: head.seq,
      head: head.hash,
      ...(relinked && { relinked }),
      ...(this.#source.isDamaged && ({ damaged: true } as const)),
    } as const;
    if (!this.#fits(bytes))
      throw new Error(say('The session was not exported: its log is larger than the import limit of 8 GB.'));
    const stream = relinked ? this.#relinked() : readRange(logOf(this.#place.root, id), 0, bytes);
    await writeArchive(path, header, this.#parts({ file: 'events.jsonl', content: { bytes, stream } }));
    return { events: head.seq, hidden: secrets, ...this.#counts, ...this.#setup };
  }

  async *#parts(log: ArchivePart): AsyncGenerator<ArchivePart> {
    yield log;
    yield* this.#recording();
    for (const name of this.#survey.attachments) yield* this.#image(name);
    for (const hash of [...this.#survey.blobs].reverse()) yield* this.#version(hash);
    for (const hash of this.#survey.removed) if (await this.#blobs.has(hash)) yield* this.#version(hash);
  }

  async *#recording(): AsyncGenerator<ArchivePart> {
    const path = recordingOf(this.#place.root, this.#place.id);
    const bytes = this.#source.recorded;
    if (bytes === undefined) return;
    const looked = setupWithoutSecrets(path, this.#place.secrets, this.#survey.hasHidden);
    const setup = await this.#unlessUnread(looked);
    if (setup === UNREAD) return;
    this.#counts.isRecordingWithheld = !setup;
    this.#counts.isRecordingUnfit = setup !== undefined && !this.#fits(bytes);
    if (!setup || this.#counts.isRecordingUnfit) return;
    this.#setup = setup;
    this.#counts.hasRecording = true;
    yield {
      file: 'recording.jsonl',
      content: { bytes, stream: readRange(path, 0, bytes) },
    };
  }

  async *#version(hash: string): AsyncGenerator<ArchivePart> {
    const read = this.#blobs.get(hash).catch((error) => {
      if (isUnread(error.cause)) throw error.cause;
    });
    const content = await this.#unlessUnread(read);
    if (content === UNREAD) return;
    if (!content) this.#counts.missing += 1;
    else if (secretIn(content, this.#place.secrets)) this.#counts.withheld += 1;
    else if (this.#fits(inBase64(content))) {
      this.#counts[this.#survey.prefixes.has(hash) ? 'prefixes' : 'versions'] += 1;
      yield { file: `blobs/${hash}`, content };
    }
  }

  async *#image(name: string): AsyncGenerator<ArchivePart> {
    const content = await this.#unlessUnread(new AttachmentFiles(this.#place.root).load(name));
    if (content === UNREAD) return;
    if (!content) {
      this.#counts.missing += 1;
      return;
    }
    if (!this.#fits(inBase64(content))) return;
    this.#counts.images += 1;
    yield { file: name, content };
  }

  /** Resolves with `UNREAD` for content that exists and cannot be read, and counts it. */
  async #unlessUnread<Read>(work: Promise<Read>): Promise<Read | typeof UNREAD> {
    try {
      return await work;
    } catch (error) {
      if (!isUnread(error)) throw error;
      this.#counts.unread += 1;
      return UNREAD;
    }
  }

  /** Reserves room for a part of `bytes` bytes. If there is no room, counts the part as unfit. */
  #fits(bytes: number): boolean {
    const isFit = bytes + ROUND <= this.#room;
    if (isFit) this.#room -= bytes + ROUND;
    else this.#counts.unfit += 1;
    return isFit;
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
    const { id, secrets } = this.#place;
    const change = (draft: EventDraft) => secrets.leaving(draft);
    return relinkedLines(this.#source.lines(), id, { change, header: this.#header });
  }
}
