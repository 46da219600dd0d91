import * as vscode from 'vscode';
import { formatSize } from '../../core/base/text/format-size.ts';
import {
  measureStorage,
  type Storage,
  type StorageUse,
  sumOf,
  totalOf,
} from '../../node/storage/storage-use.ts';
import { readSetting } from '../base/settings.ts';
import type { WindowParts } from '../panel/panel-parts.ts';
import { shownTitle } from '../sessions/localization.ts';

interface UseItem extends vscode.QuickPickItem {
  /** The session's id. Undefined for other items. */
  readonly id?: string;
}

/** Lists the storage of each session, the largest first. Shows the session that the user picks. */
export async function showStorage({ places, store, panels }: WindowParts): Promise<void> {
  const storage = await measureStorage(places.sessions, await store.list());
  const limit = readSetting('storage.maxMegabytes');
  const total = formatSize(sumOf(storage));
  const title =
    limit === 0
      ? vscode.l10n.t('Storage: {0} (no limit)', total)
      : vscode.l10n.t('Storage: {0} of {1} MB', total, limit);
  const largest = storage.sessions.toSorted((a, b) => totalOf(b) - totalOf(a)).map(itemOf);
  const picked = await vscode.window.showQuickPick([...largest, ...othersOf(storage)], {
    title,
    placeHolder: vscode.l10n.t('Select a session to show'),
    matchOnDetail: true,
  });
  if (picked?.id !== undefined) await panels.reveal(picked.id);
}

/** The storage that belongs to no session in the list. */
function othersOf({ deleted, images }: Storage): readonly UseItem[] {
  const label = vscode.l10n.t('Deleted sessions');
  const bytes = deleted.reduce((sum, use) => sum + use.bytes, 0);
  const detail = vscode.l10n.t('Recoverable for 30 days if storage space allows');
  return [
    ...(bytes > 0 ? [{ label, description: formatSize(bytes), detail }] : []),
    ...(images > 0 ? [{ label: vscode.l10n.t('Images'), description: formatSize(images) }] : []),
  ];
}

function itemOf(use: StorageUse): UseItem {
  const { session, log, versions, recording } = use;
  const parts = [
    vscode.l10n.t('log {0}', formatSize(log)),
    ...(versions > 0 ? [vscode.l10n.t('file versions {0}', formatSize(versions))] : []),
    ...(recording > 0 ? [vscode.l10n.t('recording {0}', formatSize(recording))] : []),
  ];
  return {
    id: session.id,
    label: shownTitle(session.title),
    description: formatSize(totalOf(use)),
    detail: parts.join(' · '),
  };
}
