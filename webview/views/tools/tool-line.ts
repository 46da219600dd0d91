// How it stands with a call, as its card says in one line.

import { effectOf } from '../../../extension/protocol/tool-names.ts';
import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import { fieldsOf, firstText } from '../../tools/call-subject.ts';
import { readShortAnswer } from '../../tools/tool-answer.ts';
import { viewOf } from '../../tools/tool-table.ts';

/** What a call acts on. */
export function subjectOf(
  { name, input = {} }: Pick<ToolPart, 'name' | 'input'>,
  roots: readonly string[] = [],
): string {
  return (viewOf(name).subject ?? firstText)(fieldsOf(input, roots), input);
}

/** In a few words, most important first. */
export function outcomeOf(part: ToolPart): string[] {
  const words = [progressOf(part), resultWord(part), duration(part.milliseconds)];
  return words.filter((word) => word !== '');
}

/** That of them which can be found. */
export function foundWord(part: ToolPart): string {
  return part.result === undefined ? '' : progressOf(part) || exitWord(part);
}

/** Also a call that did what it should, but whose command says that it failed. */
export function hasFailed(part: ToolPart): boolean {
  return part.state === 'error' || (exitCodeOf(part) ?? 0) !== 0;
}

/** States that the icon and the line itself tell. */
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
  return answer ? outcome(answer) : '';
}

function exitWord(part: ToolPart): string {
  const exitCode = exitCodeOf(part) ?? 0;
  return exitCode === 0 ? '' : strings.exitCode(exitCode);
}

function exitCodeOf(part: ToolPart): number | undefined {
  const isRead = part.state === 'done' && effectOf(part.name) === 'runs';
  return isRead ? readShortAnswer(part.result)?.exitCode : undefined;
}

/** What the user had answered, where the call was let through. */
export function permissionOf({ permission, state }: ToolPart): string {
  return permission?.by === 'user' && state !== 'denied' ? strings.allowed[permission.decision] : '';
}

function duration(milliseconds = 0): string {
  return milliseconds < 1_000 ? '' : strings.duration(milliseconds / 1_000);
}
