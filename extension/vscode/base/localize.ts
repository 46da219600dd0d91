import * as vscode from 'vscode';
import type { Notices } from '../../core/ports/notices.ts';
import type { ActionView, SessionEvent } from '../../protocol/events.ts';
import { createLocalizer, type Localizer } from './localizer.ts';

let hear: Localizer | undefined;

/** Localizes messages of core/ and node/ in VS Code's display language. */
export function localize(sentence: string): string {
  if (!vscode.l10n.bundle) return sentence;
  hear ??= createLocalizer(vscode.l10n.bundle);
  return hear(sentence);
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
export function localizeEvent(event: SessionEvent, hear: Localizer): SessionEvent {
  switch (event.type) {
    case 'error':
    case 'notice':
    case 'retry':
      return { ...event, message: hear(event.message) };
    case 'status':
      // The status of a tool names its call in the model's words.
      return event.state === 'thinking' ? { ...event, message: hear(event.message) } : event;
    case 'permission_request':
      return { ...event, action: hearAction(event.action, hear) };
    case 'permission':
      return { ...event, rule: hear(event.rule) };
    default:
      return event;
  }
}

function hearAction(action: ActionView, hear: Localizer): ActionView {
  return {
    ...action,
    title: hear(action.title),
    warnings: action.warnings.map(hear),
    ...(action.remember !== undefined && { remember: hear(action.remember) }),
  };
}

/** The localized sentence for this number. `one` and `many` contain the number as {0}. */
export function plural(count: number, one: string, many: string): string {
  return vscode.l10n.t(count === 1 ? one : many, count);
}
