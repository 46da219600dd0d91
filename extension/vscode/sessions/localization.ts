// How sessions speak the language of this window.
import * as vscode from 'vscode';
import { IMAGE_TITLE } from '../../core/log/session-title.ts';
import type { Localization } from '../../core/ports/localization.ts';
import { localizeEvents } from '../base/localize.ts';

/** A session's title for the user: the word for a session that begins with images alone is in their language, everything else as it is. */
export function shownTitle(title: string): string {
  return title === IMAGE_TITLE ? vscode.l10n.t('Image') : title;
}

export const localization: Localization = { events: localizeEvents, title: shownTitle };
