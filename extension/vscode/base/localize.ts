import * as vscode from 'vscode';
import type { Notices } from '../../core/ports/notices.ts';
import type { ActionView, SessionEvent } from '../../protocol/events.ts';
import { createLocalizer, type Localizer } from './localizer.ts';

let hear: Localizer | undefined;

/** What core/ and node/ say, in VS Code's display language. */
export function localize(sentence: string): string {
  if (!vscode.l10n.bundle) return sentence;
  hear ??= createLocalizer(vscode.l10n.bundle);
  return hear(sentence);
}

/** Events on their way from the log to a person. */
export function localizeEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return vscode.l10n.bundle ? events.map((event) => localizeEvent(event, localize)) : events;
}

export const notices: Notices = {
  warn: (sentence) => void vscode.window.showWarningMessage(localize(sentence)),
};

/** Why something did not work, for a person. */
export function errorMessage(error: unknown): string {
  return localize(error instanceof Error ? error.message : String(error));
}

/** The same error, or one that says it for a person. */
export function localizeError(error: unknown): unknown {
  const reason = errorMessage(error);
  return error instanceof Error && error.message !== reason ? new Error(reason, { cause: error }) : error;
}

/** The event as the user reads it. What the model, a tool or a person has said stays as it is. */
export function localizeEvent(event: SessionEvent, hear: Localizer): SessionEvent {
  switch (event.type) {
    case 'error':
    case 'notice':
    case 'retry':
      return { ...event, message: hear(event.message) };
    case 'status':
      // That of a tool names its call, in the words of the model.
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

/** The sentence for this number in the user's language; `one` and `many` hold the number as {0}. */
export function plural(count: number, one: string, many: string): string {
  return vscode.l10n.t(count === 1 ? one : many, count);
}
