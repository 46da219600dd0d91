import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { SessionRegistry } from '../../app/sessions/session-registry.ts';
import { decodeText } from '../../core/base/text/encoding.ts';
import { storedBytesOf } from '../../core/checkpoints/current-state.ts';
import type { SessionStore } from '../../core/ports/session-store.ts';
import { ShownFiles } from '../../core/view/displayed-files.ts';
import type { FileState } from '../../protocol/events.ts';
import { openDocument, withoutLinks } from '../workspace/open-documents.ts';
import { timelineOf } from './time-travel.ts';

/** The `resourceScheme` in package.json's menus. */
const PAST_SCHEME = 'harness-at';

/** A file as a session knew it after an event. */
export interface PastFile {
  /** Absolute. */
  readonly path: string;
  readonly session: string;
  readonly seq: number;
}

/**
 * `harness-at:/abs/path?session=ID&seq=N`. With `isSide`, a missing file reads as empty text, for one side of
 * a diff.
 */
export function pastUri({ path, session, seq }: PastFile, isSide = false): vscode.Uri {
  const query = new URLSearchParams({ session, seq: String(seq), ...(isSide && { side: '1' }) });
  return vscode.Uri.file(path).with({ scheme: PAST_SCHEME, query: query.toString() });
}

/** The URI of empty text, for the side of a diff that has no file. */
export function emptyUri(path: string): vscode.Uri {
  return vscode.Uri.file(path).with({ scheme: PAST_SCHEME });
}

/** Undefined if `uri` is not such an address. */
export function pastFileOf(uri: vscode.Uri | undefined): PastFile | undefined {
  if (uri?.scheme !== PAST_SCHEME) return undefined;
  const query = new URLSearchParams(uri.query);
  return {
    path: uri.with({ scheme: 'file', query: '' }).fsPath,
    session: query.get('session') ?? '',
    seq: Number(query.get('seq') ?? Number.NaN),
  };
}

/** Provides read-only texts of files in earlier states. */
export class PastFiles implements vscode.TextDocumentContentProvider, vscode.FileDecorationProvider {
  readonly #open: Pick<SessionRegistry, 'find'>;
  readonly #store: Pick<SessionStore, 'read' | 'blobs'>;
  /** The files of the session that was read last and is not open here. */
  #read: { readonly session: string; readonly files: Promise<ShownFiles> } | undefined;

  constructor(open: Pick<SessionRegistry, 'find'>, store: Pick<SessionStore, 'read' | 'blobs'>) {
    this.#open = open;
    this.#store = store;
  }

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(PAST_SCHEME, this),
      vscode.window.registerFileDecorationProvider(this),
    );
  }

  /** Rejects if there was no file, except for one side of a diff. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string | undefined> {
    const file = pastFileOf(uri);
    if (!file?.session) return file && '';
    const state = await this.stateOf(file);
    if (state?.kind === 'absent') {
      if (new URLSearchParams(uri.query).has('side')) return '';
      throw new Error(vscode.l10n.t('File {0} did not exist after event {1}.', file.path, file.seq));
    }
    return this.#textOf(file, state);
  }

  /** Marks a file that the session never changed. */
  async provideFileDecoration(uri: vscode.Uri): Promise<vscode.FileDecoration | undefined> {
    const file = pastFileOf(uri);
    if (!file?.session || (await this.stateOf(file))) return undefined;
    const tooltip = vscode.l10n.t('This session has not changed this file. Its current content is shown.');
    return new vscode.FileDecoration('=', tooltip);
  }

  /**
   * Undefined if the session never changed the path. Then only its current state is known. Rejects if there
   * is no event `seq`.
   */
  async stateOf({ path, session, seq }: PastFile): Promise<FileState | undefined> {
    const files = await this.filesOf(session, seq);
    if (seq >= 1 && seq <= files.end)
      return files.stateAt(path, seq) ?? files.stateAt(await withoutLinks(path), seq);
    throw new Error(vscode.l10n.t('This session has no event {0}.', seq));
  }

  /**
   * The files up to event `seq` at least, or up to the newest event without `seq`. An earlier read of a log
   * stays valid, because a log only grows.
   */
  async filesOf(session: string, seq = Number.POSITIVE_INFINITY): Promise<ShownFiles> {
    const log = this.#open.find(session)?.log;
    if (log) return timelineOf(log).files;
    const known = this.#read?.session === session && (await this.#read.files.catch(() => undefined));
    if (known && seq <= known.end) return known;
    const files = this.#store.read(session).then(ShownFiles.of);
    this.#read = { session, files };
    return files;
  }

  async #textOf({ path, session }: PastFile, state: FileState | undefined): Promise<string> {
    const { t } = vscode.l10n;
    if (state?.kind === 'link') return t('Symbolic link to {0}', state.target);
    if (state?.kind === 'directory') return t('Folder');
    if (state?.kind !== 'file')
      return decoded(path, await vscode.workspace.fs.readFile(vscode.Uri.file(path)));
    const blobs = this.#store.blobs(session);
    const bytes = state.unkept ? await storedBytesOf({ state }, blobs) : await blobs.get(state.hash);
    return bytes
      ? decoded(path, bytes)
      : t('Harness did not store the content of {0} ({1} bytes).', basename(path), state.size);
  }
}

/** Decodes in the encoding of the file's open editor, or else that of the settings. */
async function decoded(path: string, bytes: Uint8Array): Promise<string> {
  const encoding = (await openDocument(path))?.encoding;
  if (!encoding?.startsWith('utf16') && decodeText(bytes) === undefined)
    return vscode.l10n.t('{0} is not a text file ({1} bytes).', basename(path), bytes.length);
  if (encoding) return vscode.workspace.decode(bytes, { encoding });
  return vscode.workspace.decode(bytes, { uri: vscode.Uri.file(path) });
}
