import * as vscode from 'vscode';
import { IMAGE_TITLE } from '../core/session/session-title.ts';

/** A session's title for the user: the word for a session that begins with images alone is in their language, everything else as it is. */
export function shownTitle(title: string): string {
  return title === IMAGE_TITLE ? vscode.l10n.t('Image') : title;
}
