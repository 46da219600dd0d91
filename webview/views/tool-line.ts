// What a tool card says in its one line, and what it shows when it is opened.
import * as z from 'zod';
import type { ToolPart } from '../state/parts.ts';
import { stripControls, visibleText } from '../state/plain-text.ts';
import { strings } from '../strings.ts';

/** Results longer than this (characters) are not read for the line. */
const SHORT_RESULT = 200_000;

const result = z.looseObject({
  error: z.string().optional(),
  exitCode: z.number().optional(),
  stdout: z.string().optional(),
  stderr: z.string().optional(),
  content: z.string().optional(),
  entries: z.string().optional(),
  matches: z.string().optional(),
});
type Result = z.infer<typeof result>;

/** The object of a call, as the model named it: a path, a pattern, a command. */
export function subjectOf({ name, input = {} }: Pick<ToolPart, 'name' | 'input'>): string {
  const field = (key: string) => (typeof input[key] === 'string' ? visibleText(input[key]) : '');
  if (name === 'read') return [field('path'), lineRange(input)].filter(Boolean).join(' ');
  if (name === 'grep') return [field('pattern'), field('path')].filter(Boolean).join(' in ');
  if (name === 'move') return `${field('source')} → ${field('destination')}`;
  if (name === 'bash') return field('command');
  const first = Object.keys(input).find((key) => typeof input[key] === 'string');
  return field('path') || (first ? field(first) : '');
}

function lineRange({ start_line: start, end_line: end }: Readonly<Record<string, unknown>>): string {
  if (start === undefined && end === undefined) return '';
  return `${start ?? 1}-${end ?? ''}`;
}

/** How it stands with the call, in a few words, most important first. */
export function outcomeOf(part: ToolPart): string[] {
  const words = [progressOf(part), ...resultWords(part), permissionWord(part), duration(part.milliseconds)];
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
  const matches = part.name === 'grep' && part.state === 'done' ? readResult(part)?.matches : undefined;
  return matches === undefined
    ? []
    : [strings.matches(matches === '' ? 0 : matches.trimEnd().split('\n').length)];
}

function exitCodeOf(part: ToolPart): number | undefined {
  return part.name === 'bash' && part.state === 'done' ? readResult(part)?.exitCode : undefined;
}

function permissionWord({ permission, state }: ToolPart): string {
  return permission?.by === 'user' && state !== 'denied' ? strings.allowed[permission.decision] : '';
}

function duration(milliseconds = 0): string {
  return milliseconds < 1_000 ? '' : `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** What the tool answered, for a person to read. */
export function resultText(part: ToolPart): string {
  const answer = readResult(part, Number.POSITIVE_INFINITY);
  if (answer === undefined) return stripControls(part.result ?? '');
  return stripControls(answer.error ?? outputText(answer) ?? JSON.stringify(answer, null, 2));
}

function outputText({ stdout, stderr, content, entries, matches }: Result): string | undefined {
  if (stdout === undefined) return content ?? entries ?? matches;
  return [stdout, stderr].filter(Boolean).join('\n');
}

/** The input as it is shown in the opened card. */
export function inputText({ name, input = {} }: ToolPart): string {
  return name === 'bash' && typeof input.command === 'string'
    ? input.command
    : JSON.stringify(input, null, 2);
}

/** The first `limit` lines of `text`, and how many there are besides. */
export function firstLines(text: string, limit: number): { shown: string; more: number } {
  let end = -1;
  for (let line = 0; line < limit; line += 1) {
    end = text.indexOf('\n', end + 1);
    if (end < 0 || end === text.length - 1) return { shown: text, more: 0 };
  }
  return {
    shown: text.slice(0, end),
    more: text
      .slice(end + 1)
      .trimEnd()
      .split('\n').length,
  };
}

function readResult({ result: json }: ToolPart, longest = SHORT_RESULT): Result | undefined {
  if (json === undefined || json.length > longest) return undefined;
  try {
    return result.safeParse(JSON.parse(json)).data;
  } catch {
    // Not JSON: shown as it is.
    return undefined;
  }
}
