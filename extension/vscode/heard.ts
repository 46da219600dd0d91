import * as vscode from 'vscode';
import type { SessionEvent } from '../protocol/events.ts';
import { createHear, type Hear } from './hear.ts';
import { hearEvent } from './hear-events.ts';

let hear: Hear | undefined;

/** What core/ and node/ say, in VS Code's display language. */
export function heard(sentence: string): string {
  if (!vscode.l10n.bundle) return sentence;
  hear ??= createHear(vscode.l10n.bundle);
  return hear(sentence);
}

/** Events on their way from the log to a person. */
export function heardEvents(events: readonly SessionEvent[]): readonly SessionEvent[] {
  return vscode.l10n.bundle ? events.map((event) => hearEvent(event, heard)) : events;
}

/** Why something did not work, for a person. */
export function reasonOf(error: unknown): string {
  return heard(error instanceof Error ? error.message : String(error));
}

/** The same error, or one that says it for a person. */
export function heardError(error: unknown): unknown {
  const reason = reasonOf(error);
  return error instanceof Error && error.message !== reason ? new Error(reason, { cause: error }) : error;
}
