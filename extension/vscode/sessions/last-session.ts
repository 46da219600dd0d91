import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { CurrentSession } from '../../app/sessions/displayed-session.ts';
import { replaceFile } from '../../node/fs/replace-file.ts';

/**
 * Stores which session a workspace shows, in one file for each workspace. A memento does not work: in a
 * browser, VS Code writes it up to five seconds later, and a reload before that loses it. `storageUri` does
 * not work: VS Code gives a new window another folder while the previous window still uses it. A window
 * without a folder has only its memento.
 */
export function rememberSession(context: vscode.ExtensionContext): CurrentSession {
  const name = workspaceName();
  if (name === undefined) return inMemento(context.workspaceState);
  return inFile(fileOf(context, name));
}

/** Sets the session that a window shows if it opens only this folder. */
export function rememberFor(
  context: vscode.ExtensionContext,
  folder: vscode.Uri,
  session: string,
): Promise<void> {
  return inFile(fileOf(context, nameOf([folder]))).save(session);
}

/** The path, below the folder of the sessions, of the draft for this workspace's next session. */
export function nextDraftFile(sessions: string): string {
  return join(sessions, 'next-drafts', `${workspaceName() ?? 'no-folder'}.json`);
}

/** Undefined for a window without a folder. */
function workspaceName(): string | undefined {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const places = workspaceFile ? [workspaceFile] : workspaceFolders.map(({ uri }) => uri);
  return places.length === 0 ? undefined : nameOf(places);
}

function nameOf(places: readonly vscode.Uri[]): string {
  return createHash('sha256').update(places.join('\n')).digest('hex');
}

function fileOf(context: vscode.ExtensionContext, name: string): string {
  return join(context.globalStorageUri.fsPath, 'current-sessions', name);
}

function inFile(path: string): CurrentSession {
  return {
    load: () => readFile(path, 'utf8').catch(() => ''),
    async save(id) {
      await mkdir(dirname(path), { recursive: true });
      // VS Code may close the window during the write.
      await replaceFile(path, id);
    },
  };
}

function inMemento(memento: vscode.Memento): CurrentSession {
  const key = 'harness.session';
  return {
    load: async () => memento.get<string>(key) ?? '',
    save: async (id) => memento.update(key, id),
  };
}
