import { access, constants, statfs } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type TextDocument, workspace } from 'vscode';
import { versionOf } from '../../core/base/content-hash.ts';
import { formatSize } from '../../core/base/text/format-size.ts';
import {
  ABSENT,
  type Change,
  type FileContent,
  type FileQuery,
  type FileStat,
  type FoundFiles,
  type Root,
  type SearchQuery,
  type SearchResult,
  type Workspace,
  WorkspaceError,
} from '../../core/ports/workspace.ts';
import { asWorkspaceErrors } from '../../node/fs/file-errors.ts';
import { openDocument, otherEditor, unsavedBelow } from './open-documents.ts';
import { ParticipantEdits } from './participant-edits.ts';
import { deepestDirectory, renamePath } from './rename-path.ts';
import { writeDocument } from './write-document.ts';

type Write = Extract<Change, { kind: 'write' }>;
type Delete = Extract<Change, { kind: 'delete' }>;

/** Bytes. VS Code does not open a larger file as a text document. */
const MAX_DOCUMENT = 50 * 1024 * 1024;

/**
 * The files as the user of this window sees them. Reads unsaved text from its editor, and changes files with
 * VS Code edits that the user can undo. `disk` writes what a text document cannot represent byte for byte.
 */
export class VscodeWorkspace implements Workspace {
  /** Records the changes that extensions make in other files. */
  readonly edits = new ParticipantEdits();
  readonly #disk: Workspace;

  constructor(disk: Workspace) {
    this.#disk = disk;
  }

  get roots(): readonly Root[] {
    return workspaceRoots();
  }

  trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  stat(path: string): Promise<FileStat | undefined> {
    return this.#disk.stat(path);
  }

  realpath(path: string): Promise<string> {
    return this.#disk.realpath(path);
  }

  list(path: string, signal: AbortSignal): Promise<string> {
    return this.#disk.list(path, signal);
  }

  tree(path: string, depth: number, signal: AbortSignal): Promise<string> {
    return this.#disk.tree(path, depth, signal);
  }

  find(query: FileQuery, signal: AbortSignal): Promise<FoundFiles> {
    return this.#disk.find(query, signal);
  }

  near(path: string, root: string, signal: AbortSignal): Promise<readonly string[]> {
    return this.#disk.near(path, root, signal);
  }

  /** Searches the files on disk, without unsaved changes. */
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchResult> {
    return this.#disk.search(query, signal);
  }

  async read(path: string, maxBytes: number): Promise<FileContent> {
    const document = await openDocument(path);
    if (!document?.isDirty) return this.#disk.read(path, maxBytes);
    const bytes = await encodeDocument(document);
    if (bytes.length <= maxBytes) return { bytes, version: versionOf(bytes), unsaved: true };
    const message = `file is too large: ${path} has ${formatSize(bytes.length)} in its editor`;
    throw new WorkspaceError('too-large', path, message);
  }

  async *stream(path: string, signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    const document = await openDocument(path);
    if (document?.isDirty) yield await encodeDocument(document);
    else yield* this.#disk.stream(path, signal);
  }

  async apply(change: Change): Promise<string | undefined> {
    switch (change.kind) {
      case 'write':
        return asWorkspaceErrors(change.path, this.#write(change));
      case 'move':
        await asWorkspaceErrors(change.destination, renamePath(change, this.#disk, this.edits));
        return undefined;
      case 'delete':
        await asWorkspaceErrors(change.path, this.#delete(change));
        return undefined;
    }
  }

  async #write(change: Write): Promise<string | undefined> {
    const { path, expect } = change;
    const other = await otherEditor(path);
    if (other?.isDirty) throw unsaved(path, 'in an editor that shows no text');
    const document = await openDocument(path);
    if (document?.isDirty) return this.#writeUnsaved(document, change);
    if (expect === ABSENT) return this.#create(change);
    const text = other ? undefined : await this.#documentFor(change);
    if (!text) return this.#disk.apply(change);
    await requireWritable(path, change.bytes.length);
    return this.#save(change, text.document, text.after, text.version);
  }

  /** Changes the editor's unsaved text, which is the text that the model has read, and saves it. */
  async #writeUnsaved(document: vscode.TextDocument, change: Write): Promise<string> {
    const { path, bytes, expect } = change;
    const { version } = document;
    if (versionOf(await encodeDocument(document)) !== expect)
      throw unsaved(path, 'that are not the text that was read');
    const text = await textFor(document, bytes);
    if (text === undefined) throw unsaved(path, 'and cannot hold this content byte for byte');
    await requireWritable(path, bytes.length);
    return this.#save(change, document, text, version);
  }

  /** Returns the version on disk. */
  async #save({ path }: Write, document: vscode.TextDocument, text: string, at: number) {
    await writeDocument(document, text, at);
    return this.#versionOnDisk(path);
  }

  async #delete(change: Delete): Promise<void> {
    const { path, expect } = change;
    if (await unsavedBelow(path)) throw unsaved(path, 'that would be lost');
    if ((await this.#versionOnDisk(path)) !== expect) {
      throw new WorkspaceError('changed', path, `file changed meanwhile: ${path}; nothing was deleted`);
    }
    const edit = new vscode.WorkspaceEdit();
    edit.deleteFile(vscode.Uri.file(path));
    if (await this.edits.apply(edit, change)) return;
    throw new WorkspaceError('failed', path, `VS Code did not delete ${path}`);
  }

  /** If VS Code does not create the file, `disk` creates it or rejects with the reason. */
  async #create(change: Write): Promise<string | undefined> {
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(vscode.Uri.file(change.path), { contents: change.bytes });
    await requireSpace(change.path, change.bytes.length);
    if (!(await this.edits.apply(edit, change))) return this.#disk.apply(change);
    return this.#versionOnDisk(change.path);
  }

  /**
   * The document of a file. Undefined unless it represents the file's bytes exactly and can represent the new
   * ones.
   */
  async #documentFor({ path, bytes, expect }: Write) {
    const stat = await this.#disk.stat(path);
    if (!stat || Math.max(stat.size, bytes.length) > MAX_DOCUMENT) return undefined;
    const document = (await openDocument(path)) ?? (await open(path));
    if (!document) return undefined;
    const { version } = document;
    const held = await encodeDocument(document);
    const onDisk = await this.#disk.read(path, MAX_DOCUMENT);
    if (onDisk.version !== expect || !equalBytes(held, onDisk.bytes)) return undefined;
    const after = await textFor(document, bytes);
    return after === undefined ? undefined : { document, version, after };
  }

  async #versionOnDisk(path: string): Promise<string> {
    return (await this.#disk.read(path, 2 * MAX_DOCUMENT)).version;
  }
}

/** The folders of this window. Leaves out folders of virtual file systems, which have no path. */
export function workspaceRoots(): Root[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders
    .filter(({ uri }) => uri.scheme === 'file')
    .map(({ name, uri }) => ({ name, path: uri.fsPath }));
}

/** Undefined if VS Code does not treat the file as text. */
async function open(path: string): Promise<vscode.TextDocument | undefined> {
  return vscode.workspace.openTextDocument(vscode.Uri.file(path)).then(
    (document) => document,
    () => undefined,
  );
}

/** VS Code saves in place, so Harness checks in advance for errors that would interrupt the write. */
async function requireWritable(path: string, size: number): Promise<void> {
  await access(path, constants.W_OK);
  await requireSpace(path, size);
}

async function requireSpace(path: string, size: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs((await deepestDirectory(path)).path);
  // Some network file systems report no free space.
  if (blocks === 0 || bavail * bsize >= size) return;
  throw new WorkspaceError('no-space', path, `disk full: could not write ${path}; nothing was changed`);
}

function unsaved(path: string, why: string): WorkspaceError {
  return new WorkspaceError(
    'unsaved',
    path,
    `${path} has unsaved changes ${why}; nothing was written. Read it again, or ask the user to save or discard them`,
  );
}

/** The bytes that saving the document now would write. */
export async function encodeDocument(document: TextDocument): Promise<Uint8Array> {
  return workspace.encode(document.getText(), { encoding: document.encoding });
}

/**
 * The text for which saving writes exactly `bytes`. Undefined if there is none: mixed line endings, which VS
 * Code unifies, bytes that are invalid in the document's encoding, another byte order mark, or NULs.
 */
export async function textFor(document: TextDocument, bytes: Uint8Array): Promise<string | undefined> {
  const { encoding } = document;
  if (!encoding.startsWith('utf16') && bytes.includes(0)) return undefined;
  const text = await workspace.decode(bytes, { encoding });
  if (hasMixedLineEnds(text)) return undefined;
  return equalBytes(await workspace.encode(text, { encoding }), bytes) ? text : undefined;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** Counts a lone CR, because VS Code treats it as a line ending. */
function hasMixedLineEnds(text: string): boolean {
  const unlike = text.includes('\r\n') ? /\r(?!\n)|(?<!\r)\n/ : /\r/;
  return unlike.test(text);
}
