// Localizes sessions in the display language of this window.
import * as vscode from 'vscode';
import { IMAGE_TITLE } from '../../core/log/session-title.ts';
import type { Localization } from '../../core/ports/localization.ts';
import { localizeEvents } from '../base/localize.ts';

/** Localizes a session's title. Only the title of a session that begins with images alone changes. */
export function shownTitle(title: string): string {
  return title === IMAGE_TITLE ? vscode.l10n.t('Image') : title;
}

export const localization: Localization = { events: localizeEvents, title: shownTitle };
