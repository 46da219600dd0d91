// A tool's result, for the user.
import type { ToolPart } from '../../state/parts.ts';
import { listedResult } from '../../tools/result-words.ts';
import { readAnswer } from '../../tools/tool-answer.ts';
import { viewOf } from '../../tools/tool-table.ts';

/** Empty if the card's line already contains everything. */
export function shownResult(part: ToolPart): string {
  const answer = readAnswer(part.result);
  if (answer === undefined) return part.result ?? '';
  const { error, stdout, stderr, output, content, entries, matches, paths, note } = answer;
  const listed = listedResult(answer);
  const texts = [error, stdout, stderr, output, content, entries, matches, paths, listed].filter(
    (given) => given !== undefined,
  );
  if (note !== undefined && texts.length > 0) texts.push(`(${note})`);
  if (texts.length > 0) return joinLines(texts).replaceAll('\r\n', '\n');
  return viewOf(part.name).isWordless ? '' : JSON.stringify(answer, null, 2);
}

/** The reason why a command was stopped, without its output, which is shown separately. */
export function reasonOf({ result: json }: ToolPart): string {
  return readAnswer(json)?.error?.split(/; stdout so far: |\n/)[0] ?? '';
}

/** Starts each text on a new line, and leaves out empty ones. */
function joinLines(texts: readonly string[]): string {
  return texts
    .filter(Boolean)
    .reduce((all, next) => (all === '' || all.endsWith('\n') ? all + next : `${all}\n${next}`), '');
}
