import * as vscode from 'vscode';
import { formatSize } from '../core/tools/format-size.ts';
import { measureStorage, type StorageUse, totalOf } from '../node/storage-use.ts';
import { readSetting } from './settings.ts';
import { shownTitle } from './shown-title.ts';
import type { WindowParts } from './window.ts';

interface UseItem extends vscode.QuickPickItem {
  readonly id: string;
}

/** What each session takes, the largest first. One that is picked is shown. */
export async function showStorage({ places, store, panels }: WindowParts): Promise<void> {
  const items = store.list().then((sessions) => measureStorage(places.sessions, sessions));
  const limit = readSetting('storage.maxMegabytes');
  const total = formatSize((await items).reduce((sum, use) => sum + totalOf(use), 0));
  const title =
    limit === 0
      ? vscode.l10n.t('Storage: {0}, without a limit', total)
      : vscode.l10n.t('Storage: {0} of {1} MB', total, limit);
  const largest = (await items).toSorted((a, b) => totalOf(b) - totalOf(a)).map(itemOf);
  const picked = await vscode.window.showQuickPick(largest, {
    title,
    placeHolder: vscode.l10n.t('Show a session'),
    matchOnDetail: true,
  });
  if (picked) await panels.reveal(picked.id);
}

function itemOf(use: StorageUse): UseItem {
  const { session, log, versions, recording } = use;
  const parts = [
    vscode.l10n.t('log {0}', formatSize(log)),
    ...(versions > 0 ? [vscode.l10n.t('versions of files {0}', formatSize(versions))] : []),
    ...(recording > 0 ? [vscode.l10n.t('recording {0}', formatSize(recording))] : []),
  ];
  return {
    id: session.id,
    label: shownTitle(session.title),
    description: formatSize(totalOf(use)),
    detail: parts.join(' · '),
  };
}
