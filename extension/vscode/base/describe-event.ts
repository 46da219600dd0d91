// Describes a past event in a few words.
import * as vscode from 'vscode';
import { summarizeCall } from '../../core/log/summarize-call.ts';
import type { EventOf, SessionEvent } from '../../protocol/events.ts';
import { plural } from './localize.ts';

/** `events` are the events of its section. */
export function describeEvent(event: SessionEvent, events: readonly SessionEvent[]): string {
  return oneLine(wordsOf(event, events));
}

function wordsOf(event: SessionEvent, events: readonly SessionEvent[]): string {
  const { t } = vscode.l10n;
  switch (event.type) {
    case 'user':
      return t('Prompt: {0}', event.content);
    case 'text':
      return t('Response: {0}', event.content);
    case 'reasoning':
      return t('Thinking');
    case 'tool_call':
      return summarizeCall(event);
    case 'tool_started':
      return t('Started: {0}', callOf(event.id, events));
    case 'tool_result':
      return event.isError
        ? t('Failed: {0}', callOf(event.id, events))
        : t('Done: {0}', callOf(event.id, events));
    case 'files_changed':
      return changeWords(event);
    case 'permission_request':
      return event.action.title;
    case 'question':
      return t('Question: {0}', event.question);
    case 'compaction':
      return t('Conversation summarized');
    case 'error':
    case 'notice':
    case 'retry':
      return event.message;
    case 'turn_started':
      return t('Run started');
    case 'turn_ended':
      return t('Run ended');
    case 'request_started':
      return t('Request to {0}', `${event.provider}/${event.model}`);
    default:
      // The other events hardly change the view. The documentation of events uses these names, too.
      return event.type;
  }
}

function callOf(id: string, events: readonly SessionEvent[]): string {
  const call = events.find((event) => event.type === 'tool_call' && event.id === id);
  return call?.type === 'tool_call' ? summarizeCall(call) : id;
}

function changeWords({ changes }: EventOf<'files_changed'>): string {
  const paths = changes.map(({ path }) => vscode.workspace.asRelativePath(path));
  return paths.length === 1 ? vscode.l10n.t('Changed: {0}', paths[0] ?? '') : describeFileCount(paths.length);
}

export function describeFileCount(count: number): string {
  return plural(count, '{0} file changed', '{0} files changed');
}

/** US dollars. */
export function describeCost(cost: number): string {
  const style = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  const digits = cost < 0.1 ? 3 : 2;
  return cost.toLocaleString(vscode.env.language, {
    ...style,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** Without the date for today. */
export function describeTime(timestamp: number): string {
  const date = new Date(timestamp);
  const isToday = date.toDateString() === new Date().toDateString();
  return date.toLocaleString(vscode.env.language, {
    ...(!isToday && { dateStyle: 'short' }),
    timeStyle: 'short',
  });
}

/** Characters; the most in one line of a list. */
const LONGEST = 100;

/** Shortens a text of any length to one line. Reads only its beginning. */
export function oneLine(text: string): string {
  const beginning = text.slice(0, 4 * LONGEST);
  const characters = [...beginning.replace(/\s+/g, ' ').trim()];
  if (characters.length <= LONGEST && beginning.length === text.length) return characters.join('');
  return `${characters.slice(0, LONGEST - 1).join('')}…`;
}
