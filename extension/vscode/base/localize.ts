import * as vscode from 'vscode';
import type { Notices } from '../../core/ports/notices.ts';
import type { ActionView, SessionEvent } from '../../protocol/events.ts';
import { createLocalizer, type Localizer } from './localizer.ts';

let localizeText: Localizer | undefined;

/** Localizes messages of core/ and node/ in VS Code's display language. */
export function localize(sentence: string): string {
  if (!vscode.l10n.bundle) return sentence;
  localizeText ??= createLocalizer(vscode.l10n.bundle);
  return localizeText(sentence);
}

/** Localizes events before a user reads them. */
export function localizeEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return vscode.l10n.bundle ? events.map((event) => localizeEvent(event, localize)) : events;
}

export const notices: Notices = {
  warn: (sentence) => void vscode.window.showWarningMessage(localize(sentence)),
};

/** The localized reason of a failure. */
export function errorMessage(error: unknown): string {
  return localize(error instanceof Error ? error.message : String(error));
}

/** The same error, or one with the localized message and the original as its cause. */
export function localizeError(error: unknown): unknown {
  const reason = errorMessage(error);
  return error instanceof Error && error.message !== reason ? new Error(reason, { cause: error }) : error;
}

/** Localizes Harness's own words in an event. Words of the model, a tool or the user stay as they are. */
export function localizeEvent(event: SessionEvent, localizeText: Localizer): SessionEvent {
  switch (event.type) {
    case 'error':
    case 'notice':
    case 'retry':
      return { ...event, message: localizeText(event.message) };
    case 'status':
      // The status of a tool names its call in the model's words.
      return event.state === 'thinking' ? { ...event, message: localizeText(event.message) } : event;
    case 'permission_request':
      return { ...event, action: localizeAction(event.action, localizeText) };
    case 'permission':
      return { ...event, rule: localizeText(event.rule) };
    default:
      return event;
  }
}

function localizeAction(action: ActionView, localizeText: Localizer): ActionView {
  return {
    ...action,
    title: localizeText(action.title),
    warnings: action.warnings.map(localizeText),
    ...(action.remember !== undefined && { remember: localizeText(action.remember) }),
  };
}

/** The localized sentence for this number. `one` and `many` contain the number as {0}. */
export function plural(count: number, one: string, many: string): string {
  return vscode.l10n.t(count === 1 ? one : many, count);
}
