// How it stands with a call, as its card says in one line.

import { strings } from '../../l10n/strings.ts';
import type { ToolPart } from '../../state/parts.ts';
import { readShortResult } from './tool-result.ts';

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
  if (part.state !== 'done') return '';
  if (part.name === 'grep') return matchWord(readShortResult(part)?.matches);
  if (part.name === 'list_dir') return entryWord(readShortResult(part)?.entries);
  return exitWord(part);
}

function exitWord(part: ToolPart): string {
  const exitCode = exitCodeOf(part) ?? 0;
  return exitCode === 0 ? '' : strings.exitCode(exitCode);
}

function exitCodeOf(part: ToolPart): number | undefined {
  return part.name === 'bash' && part.state === 'done' ? readShortResult(part)?.exitCode : undefined;
}

/** `line:content` where one file was searched, else `file:line:content`. */
const match = /^(?:(.+?):)?\d+:/;
/** What the tool says of matches that it left out. */
const omitted = /^\.\.\. \((\d+) more matches/m;

function matchWord(matches: string | undefined): string {
  if (matches === undefined) return '';
  const found = matches
    .split('\n')
    .flatMap((line) => [match.exec(line) ?? []].filter(({ length }) => length > 0));
  const more = Number(omitted.exec(matches)?.[1] ?? 0);
  const isOneFile = /^\d+:/.test(matches);
  const files = isOneFile || more > 0 ? 0 : new Set(found.map(([, file]) => file)).size;
  return strings.matches(found.length + more, files);
}

/** Of what `ls -al` prints. */
function entryWord(entries: string | undefined): string {
  if (entries === undefined) return '';
  const lines = entries.split('\n').filter((line) => line !== '' && !/^total \d|\s\.\.?$/.test(line));
  return strings.entries(lines.length);
}

/** What the user had answered, where the call was let through. */
export function permissionOf({ permission, state }: ToolPart): string {
  return permission?.by === 'user' && state !== 'denied' ? strings.allowed[permission.decision] : '';
}

function duration(milliseconds = 0): string {
  return milliseconds < 1_000 ? '' : strings.duration(milliseconds / 1_000);
}
