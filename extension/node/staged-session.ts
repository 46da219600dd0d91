import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { say } from '../protocol/say.ts';
import type { ArchiveHeader, ArchivePart } from './archive-format.ts';
import { AttachmentFiles } from './attachment-files.ts';
import { BlobFiles } from './blob-files.ts';
import { type LogEnd, logEnd } from './log-end.ts';
import { ArchiveError } from './read-archive.ts';
import { relinkedLines } from './relink-log.ts';
import { verifyLog } from './verify-log.ts';

const LOG = 'events.jsonl';
const RECORDING = 'recording.jsonl';
const NAMED_BY_HASH = /^(blobs|attachments)\/([0-9a-f]{64})(?:\.(?:png|jpg|gif|webp))?$/;

/** A session that is being imported, in a folder that no list shows. */
export class StagedSession {
  readonly #folder: string;
  readonly #header: ArchiveHeader;
  readonly #blobs: BlobFiles;
  readonly #images: string[] = [];

  constructor(folder: string, header: ArchiveHeader) {
    this.#folder = folder;
    this.#header = header;
    this.#blobs = new BlobFiles(join(folder, 'blobs'));
  }

  /** Takes one file of the archive. Rejects with `ArchiveError` where it is not what it says that it is. */
  async take({ file, content }: ArchivePart): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    if (!(content instanceof Uint8Array)) {
      if (file !== LOG && file !== RECORDING) throw strange(file);
      await writeFile(join(this.#folder, file), content.stream, { flag: 'wx', mode: 0o600, flush: true });
      if (file === LOG) await this.#checkLog();
      return;
    }
    const [, kind, hash] = NAMED_BY_HASH.exec(file) ?? [];
    if (hash === undefined || createHash('sha256').update(content).digest('hex') !== hash)
      throw strange(file);
    if (kind === 'blobs') await this.#blobs.put(content);
    else await this.#stageImage(hash, content);
  }

  /** Gives the session its name and, behind what it holds, the lines that `next` makes. Rejects with `ArchiveError` where there is no log. */
  async goOn(id: string, next: (end: LogEnd) => readonly string[]): Promise<void> {
    const path = join(this.#folder, LOG);
    if (id !== this.#header.session) await this.#rename(path, id);
    const end = await logEnd(path, this.#header.events).catch(() => undefined);
    if (end?.session !== id) throw strange(LOG);
    const lines = next(end).map((line) => `${line}\n`);
    await appendFile(path, lines.join(''), { flush: true });
  }

  /** Puts its images where those of all sessions are. */
  async keepImages(root: string): Promise<void> {
    const files = new AttachmentFiles(root);
    for (const path of this.#images) {
      await files.keep(await readFile(path), path);
      await rm(path);
    }
  }

  async #checkLog(): Promise<void> {
    const { events, head } = this.#header;
    const path = join(this.#folder, LOG);
    const report = await verifyLog(path);
    const [problem] = report.problems;
    if (problem)
      throw new ArchiveError(
        say(
          'The log in this file is damaged in line {0}: {1} Nothing was imported.',
          problem.line,
          problem.message,
        ),
      );
    if (report.head !== head || report.events !== events) throw strange(LOG);
  }

  async #rename(path: string, id: string): Promise<void> {
    const renamed = `${path}.renamed`;
    const lines = async function* () {
      for await (const { line } of relinkedLines(path, id, (draft) => draft)) yield `${line}\n`;
    };
    await writeFile(renamed, lines(), { flag: 'wx', mode: 0o600, flush: true });
    await rename(renamed, path);
  }

  async #stageImage(hash: string, content: Uint8Array): Promise<void> {
    const path = join(this.#folder, `image-${hash}`);
    await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    this.#images.push(path);
  }
}

function strange(file: string): ArchiveError {
  return new ArchiveError(
    say('“{0}” in this file is not what it should be: nothing was imported. Export the session again.', file),
  );
}
