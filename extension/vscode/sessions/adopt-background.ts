import * as vscode from 'vscode';
import type { SessionRegistry } from '../../app/sessions/session-registry.ts';
import type { SessionStore } from '../../core/ports/session-store.ts';
import { sessionsWithBackground } from '../../node/sessions/output-files.ts';

export interface Adoption {
  readonly open: Pick<SessionRegistry, 'find' | 'hold' | 'release'>;
  readonly store: Pick<SessionStore, 'list'>;
  /** The folder of all sessions. */
  readonly root: string;
  /** The folders of this window. It adopts no commands of other ones. */
  readonly folders: readonly string[];
  reveal(session: string): Promise<void>;
}

/**
 * Opens the sessions whose background commands an earlier window left running, and names them to the user. A
 * session that another window writes stays there.
 */
export async function adoptBackground(adoption: Adoption): Promise<void> {
  const { store, root, folders, open } = adoption;
  const ids = await sessionsWithBackground(root);
  if (ids.length === 0) return;
  const left = (await store.list()).filter(({ id, cwd }) => ids.includes(id) && folders.includes(cwd));
  for (const { id, title } of left)
    if (!open.find(id)) await adopt(adoption, id, title).catch(() => undefined);
}

async function adopt({ open, reveal }: Adoption, id: string, title: string): Promise<void> {
  const session = await open.hold(id);
  const isRunning = !session.isQuiet;
  await open.release(session);
  if (!isRunning) return;
  const show = vscode.l10n.t('Show');
  const message = vscode.l10n.t('“{0}” still runs commands in the background.', title);
  void vscode.window
    .showInformationMessage(message, show)
    .then((chosen) => (chosen ? reveal(id) : undefined));
}
