import { createHash } from 'node:crypto';
import { appendFile, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHAIN_START, type ChainHead } from '../../core/log/hash-chain.ts';
import { LOG_VERSION } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { ArchiveHeader, ArchivePart } from '../archive/archive-format.ts';
import { ArchiveError } from '../archive/read-archive.ts';
import { BlobFiles } from '../blobs/blob-files.ts';
import { AttachmentFiles, requireImage } from '../composer/attachment-files.ts';
import { ifPresent } from '../fs/file-errors.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { renameIntoPlace } from '../fs/rename-into-place.ts';
import { logLines } from '../log/log-lines.ts';
import { logVersion } from '../log/log-version.ts';
import { blobsOf, recordingOf } from '../log/session-files.ts';
import { verifyLog } from '../log/verify-log.ts';
import { relinkedLines } from './relink-log.ts';

const LOG = 'events.jsonl';
const RECORDING = 'recording.jsonl';
const NAMED_BY_HASH = /^(blobs|attachments)\/([0-9a-f]{64})(?:\.(?:png|jpg|gif|webp))?$/;

/** The state at the end of a staged log. */
interface LogEnd {
  readonly head: ChainHead;
  /** The working folder at the end of the log. */
  readonly cwd: string;
}

/** A session during its import, in a folder that no list shows. */
export class StagedSession {
  /** The archive's recording is invalid, as a power loss may leave it. The import leaves it out. */
  isRecordingLost: true | undefined;
  readonly #folder: string;
  readonly #header: ArchiveHeader;
  readonly #blobs: BlobFiles;
  readonly #versions: string[] = [];
  readonly #images: { readonly path: string; readonly name: string }[] = [];
  #end: LogEnd | undefined;
  #id: string;

  constructor(folder: string, header: ArchiveHeader) {
    this.#folder = folder;
    this.#header = header;
    this.#id = header.session;
    this.#blobs = new BlobFiles(join(folder, 'blobs'));
  }

  get id(): string {
    return this.#id;
  }

  /** The path of the staged log. Throws `ArchiveError` if there is none. */
  get log(): string {
    this.#checkedEnd();
    return join(this.#folder, LOG);
  }

  /** Takes one file of the archive. Rejects with `ArchiveError` if the file is not what its name says. */
  async take({ file, content }: ArchivePart): Promise<void> {
    await makeFolder(this.#folder);
    if (!(content instanceof Uint8Array)) {
      await this.#takeFile(file, content.stream);
      return;
    }
    const [, kind, hash] = NAMED_BY_HASH.exec(file) ?? [];
    if (hash === undefined || createHash('sha256').update(content).digest('hex') !== hash)
      throw strange(file);
    if (kind === 'blobs') this.#versions.push(await this.#blobs.put(content));
    else await this.#stageImage(file, hash, content);
  }

  async #takeFile(file: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const path = join(this.#folder, file);
    if ((file !== LOG && file !== RECORDING) || (await ifPresent(stat(path)))) throw strange(file);
    await writeFile(path, bytes, { flag: 'wx', mode: 0o600, flush: true });
    if (file === LOG) await this.#checkLog();
    else if (!(await isRecording(path))) {
      this.isRecordingLost = true;
      await rm(path);
    }
  }

  /** Appends the lines that `next` returns to the log. Rejects with `ArchiveError` if there is no log. */
  async goOn(next: (end: LogEnd) => readonly string[]): Promise<void> {
    const lines = next(this.#checkedEnd()).map((line) => `${line}\n`);
    await appendFile(this.log, lines.join(''), { flush: true });
  }

  /**
   * Gives session `id` below `root`, which is the same session, the items that it has lost. Resolves with
   * their number.
   */
  async recover(root: string, id: string): Promise<number> {
    const blobs = new BlobFiles(blobsOf(root, id));
    let recovered = 0;
    for (const hash of this.#versions) {
      const isThere = await blobs.get(hash).catch(() => undefined);
      if (isThere) continue;
      await blobs.put(await this.#blobs.get(hash));
      recovered += 1;
    }
    return recovered + (await this.keepImages(root)) + (await this.#recoverRecording(recordingOf(root, id)));
  }

  /**
   * Moves the images to the folder for the images of all sessions. Resolves with the number of images that
   * were not there.
   */
  async keepImages(root: string): Promise<number> {
    const files = new AttachmentFiles(root);
    let kept = 0;
    for (const { path, name } of this.#images) {
      if (!(await files.describe(name))) kept += 1;
      await files.keep(await readFile(path), name);
      await rm(path);
    }
    return kept;
  }

  async #recoverRecording(path: string): Promise<number> {
    const staged = join(this.#folder, RECORDING);
    if ((await ifPresent(isRecording(path))) || !(await ifPresent(stat(staged)))) return 0;
    await renameIntoPlace(staged, path);
    return 1;
  }

  async #checkLog(): Promise<void> {
    const { events, head, session } = this.#header;
    const path = join(this.#folder, LOG);
    const report = await verifyLog(path);
    const [problem] = report.problems;
    if (problem)
      throw new ArchiveError(
        say(
          'The log in this file is damaged on line {0}: {1} Nothing was imported.',
          problem.line,
          problem.message,
        ),
      );
    if (report.head !== head || report.events !== events || report.session !== session) throw strange(LOG);
    if ((await logVersion(path)) > LOG_VERSION)
      throw new ArchiveError(
        say('A newer version of Harness wrote the session in this file. Update Harness to import it.'),
      );
    this.#end = { head: { seq: events, hash: head }, cwd: report.cwd };
  }

  #checkedEnd(): LogEnd {
    if (!this.#end) throw strange(LOG);
    return this.#end;
  }

  /** Renames the session and relinks its log. Rejects with `ArchiveError` if there is no log. */
  async rename(id: string): Promise<void> {
    const path = this.log;
    if (id === this.#id) return;
    const renamed = `${path}.renamed`;
    let last = CHAIN_START;
    const lines = async function* () {
      for await (const { line, head } of relinkedLines(logLines(path), id)) {
        last = head;
        yield `${line}\n`;
      }
    };
    await writeFile(renamed, lines(), { flag: 'wx', mode: 0o600, flush: true });
    await rename(renamed, path);
    this.#end = { ...this.#checkedEnd(), head: last };
    this.#id = id;
  }

  async #stageImage(name: string, hash: string, content: Uint8Array): Promise<void> {
    if (!isImage(name, content)) throw strange(name);
    const path = join(this.#folder, `image-${hash}`);
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    this.#images.push({ path, name });
  }
}

/** Whether the content is a supported image of the kind that the name states. */
function isImage(name: string, content: Uint8Array): boolean {
  try {
    return name.endsWith(`.${requireImage(content, name)}`);
  } catch {
    return false;
  }
}

/** Whether a line of the file is a recording header of any version. */
async function isRecording(path: string): Promise<boolean> {
  for await (const lines of logLines(path, { isRecording: true }))
    if (lines.some(({ bytes }) => isHeader(bytes))) return true;
  return false;
}

function isHeader(line: Buffer): boolean {
  try {
    const { kind } = JSON.parse(line.toString()) as Record<string, unknown>;
    return kind === 'recording';
  } catch {
    return false;
  }
}

function strange(file: string): ArchiveError {
  return new ArchiveError(
    say('“{0}” in this file is not valid. Nothing was imported. Export the session again.', file),
  );
}
