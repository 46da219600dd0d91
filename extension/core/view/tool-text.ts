// The input and the result of a call as text for people.
import { stripTerminalCodes } from '../base/text/terminal-codes.ts';

/** The texts of a call's input, one a line: a path, a command, content to write. */
export function inputText(input: Readonly<Record<string, unknown>>): string {
  return textsOf(input).join('\n');
}

/** The texts of a result; the result as it is if it has none. `result` is the tool's JSON. */
export function resultText(result: string): string {
  const texts = textsOf(parsed(result)).filter((text) => text !== '');
  return stripTerminalCodes(texts.length > 0 ? texts.join('\n') : result);
}

/** 0 if the result has no exit code. */
export function commandExitCodeOf(result: string): number {
  const code = fieldOf(result, 'exitCode');
  return typeof code === 'number' ? code : 0;
}

/** How many problems the result names: those that a change has caused, or those that were asked for. */
export function problemCountOf(result: string): number {
  const [problems, more] = [fieldOf(result, 'problems'), fieldOf(result, 'moreProblems')];
  return (Array.isArray(problems) ? problems.length : 0) + (typeof more === 'number' ? more : 0);
}

/** Why a call failed; all texts of its result if it has no `error`. */
export function errorTextOf(result: string): string {
  const error = fieldOf(result, 'error');
  return typeof error === 'string' ? error : resultText(result);
}

function fieldOf(result: string, name: string): unknown {
  const answer = parsed(result);
  return typeof answer === 'object' && answer !== null
    ? Object.getOwnPropertyDescriptor(answer, name)?.value
    : undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    // Not JSON: the caller uses the text as it is.
    return undefined;
  }
}

/** All strings in a value, except the names of an edit's operations. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => (key === 'op' ? [] : textsOf(field)));
}
