import * as vscode from 'vscode';
import type { SessionState, SessionSummary } from '../../core/ports/session-store.ts';
import { plural } from '../base/localize.ts';
import { shownTitle } from '../sessions/localization.ts';

import { withoutIcons } from '../sessions/run-status.ts';

/** A session in the list. Without `session`, a separator, or a session that cannot be read. */
export interface SessionItem extends vscode.QuickPickItem {
  readonly session?: SessionSummary;
}

export const RENAME: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: vscode.l10n.t('Rename'),
};
export const DELETE: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('trash'),
  tooltip: vscode.l10n.t('Delete'),
};
export const OPEN_IN_TAB: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('link-external'),
  tooltip: vscode.l10n.t('Open in Editor Tab'),
};

const ICONS: Readonly<Record<SessionState, string>> = {
  idle: 'comment',
  running: 'sync~spin',
  waiting: 'bell',
  error: 'error',
};
const WORDS: Readonly<Record<SessionState, string>> = {
  idle: '',
  running: vscode.l10n.t('running'),
  waiting: vscode.l10n.t('waiting for you'),
  error: vscode.l10n.t('error'),
};
const UNITS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `detail` is the line below the title. With `match`, VS Code shows the item whatever its title is. */
export function sessionItem(
  session: SessionSummary,
  now: number,
  detail: string,
  match: string,
): SessionItem {
  const { title, state, prompts, updated } = session;
  const below = match === '' || match === title ? detail : match;
  const count = plural(prompts, '{0} prompt', '{0} prompts');
  return {
    session,
    label: withoutIcons(shownTitle(title)),
    description: [WORDS[state], timeAgo(updated, now), count].filter((text) => text !== '').join(' · '),
    iconPath: new vscode.ThemeIcon(ICONS[state]),
    buttons: [OPEN_IN_TAB, RENAME, DELETE],
    alwaysShow: match !== '',
    ...(below !== '' && { detail: withoutIcons(below) }),
  };
}

/** A session that exists but cannot be read. `reason` is one sentence. */
export function unreadItem(id: string, reason: string): SessionItem {
  const label = vscode.l10n.t('Could not read {0}', id);
  return { label, detail: withoutIcons(reason), iconPath: new vscode.ThemeIcon('warning') };
}

export function separator(label: string): SessionItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function timeAgo(then: number, now: number): string {
  const seconds = Math.max(0, (now - then) / 1000);
  const format = new Intl.RelativeTimeFormat(vscode.env.language, { numeric: 'auto' });
  for (const [unit, length] of UNITS) {
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit);
  }
  return format.format(0, 'second');
}
