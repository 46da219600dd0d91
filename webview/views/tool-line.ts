// What a tool card says in its one line.
import type { ToolPart } from '../state/parts.ts';
import { visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';
import { readShortResult } from './tool-result.ts';

/** The object of a call, as the model named it: a path, a pattern, a command. */
export function subjectOf(
  { name, input = {} }: Pick<ToolPart, 'name' | 'input'>,
  roots: readonly string[] = [],
): string {
  const field = (key: string) =>
    typeof input[key] === 'string' ? visibleText(shorten(input[key], roots)) : '';
  if (name === 'read') return [field('path'), lineRange(input)].filter(Boolean).join(' ');
  if (name === 'grep') return [field('pattern'), field('path')].filter(Boolean).join(' in ');
  if (name === 'move') return `${field('source')} → ${field('destination')}`;
  if (name === 'bash') return field('command');
  const first = Object.keys(input).find((key) => typeof input[key] === 'string');
  return field('path') || (first ? field(first) : '');
}

/** A path of the workspace as people call it, so that a narrow card still shows the file's name. */
function shorten(text: string, roots: readonly string[]): string {
  const root = roots.find((folder) => text.startsWith(`${folder}/`) || text.startsWith(`${folder}\\`));
  return root === undefined ? text : text.slice(root.length + 1);
}

function lineRange({ start_line: start, end_line: end }: Readonly<Record<string, unknown>>): string {
  if (start === undefined && end === undefined) return '';
  return `${start ?? 1}-${end ?? ''}`;
}

/** How it stands with the call, in a few words, most important first. */
export function outcomeOf(part: ToolPart): string[] {
  const words = [progressOf(part), ...resultWords(part), duration(part.milliseconds)];
  return words.filter((word) => word !== '');
}

/** A call that did what it should, but whose command says that it failed. */
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

function resultWords(part: ToolPart): string[] {
  const exitCode = exitCodeOf(part);
  if (exitCode !== undefined) return exitCode === 0 ? [] : [strings.exitCode(exitCode)];
  const matches = part.name === 'grep' && part.state === 'done' ? readShortResult(part)?.matches : undefined;
  return matches === undefined
    ? []
    : [strings.matches(matches === '' ? 0 : matches.trimEnd().split('\n').length)];
}

function exitCodeOf(part: ToolPart): number | undefined {
  return part.name === 'bash' && part.state === 'done' ? readShortResult(part)?.exitCode : undefined;
}

/** What the user had answered, where the call was let through. */
export function permissionOf({ permission, state }: ToolPart): string {
  return permission?.by === 'user' && state !== 'denied' ? strings.allowed[permission.decision] : '';
}

function duration(milliseconds = 0): string {
  return milliseconds < 1_000 ? '' : `${(milliseconds / 1_000).toFixed(1)} s`;
}
