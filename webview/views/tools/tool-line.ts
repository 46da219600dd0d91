// The state of a call, for the card's line.

import { effectOf } from '../../../extension/protocol/tool-names.ts';
import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import { fieldReader, firstText } from '../../tools/call-subject.ts';
import { readShortAnswer } from '../../tools/tool-answer.ts';
import { viewOf } from '../../tools/tool-table.ts';

/** The subject of a call. */
export function subjectOf(
  { name, input = {} }: Pick<ToolPart, 'name' | 'input'>,
  roots: readonly string[] = [],
): string {
  return (viewOf(name).subject ?? firstText)(fieldReader(input, roots), input);
}

/** In a few words, the most important first. */
export function outcomeOf(part: ToolPart): string[] {
  const words = [progressOf(part), resultWord(part), duration(part.milliseconds)];
  return words.filter((word) => word !== '');
}

/** The word that a search can find. */
export function foundWord(part: ToolPart): string {
  return part.result === undefined ? '' : progressOf(part) || exitWord(part);
}

/** Includes a call that succeeded but whose command reports a failure. */
export function hasFailed(part: ToolPart): boolean {
  return part.state === 'error' || (exitCodeOf(part) ?? 0) !== 0;
}

/** States that the icon and the line already show. */
const wordless = new Set(['pending', 'running', 'done']);

function progressOf({ state, input, receivedBytes, permission }: ToolPart): string {
  if (input === undefined) return strings.receiving(receivedBytes);
  if (state === 'denied' && permission) return strings.deniedBy[permission.by];
  return wordless.has(state) ? '' : strings.toolStates[state];
}

function resultWord(part: ToolPart): string {
  const { outcome } = viewOf(part.name);
  if (part.state !== 'done' || !outcome) return exitWord(part);
  const answer = readShortAnswer(part.result);
  return answer ? outcome(answer, part.input ?? {}) : '';
}

function exitWord(part: ToolPart): string {
  const exitCode = exitCodeOf(part) ?? 0;
  return exitCode === 0 ? '' : strings.exitCode(exitCode);
}

function exitCodeOf(part: ToolPart): number | undefined {
  const isRead = part.state === 'done' && effectOf(part.name) === 'runs';
  return isRead ? readShortAnswer(part.result)?.exitCode : undefined;
}

/** The user's answer, if the call was allowed. */
export function permissionOf({ permission, state }: ToolPart): string {
  return permission?.by === 'user' && state !== 'denied' ? strings.allowed[permission.decision] : '';
}

function duration(milliseconds = 0): string {
  return milliseconds < 1_000 ? '' : strings.duration(milliseconds / 1_000);
}
