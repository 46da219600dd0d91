// What a tool answered, for a person to read.
import type { ToolPart } from '../../state/parts.ts';
import { readAnswer } from '../../tools/tool-answer.ts';
import { viewOf } from '../../tools/tool-table.ts';

/** Empty where the card's line says it all. */
export function resultText(part: ToolPart): string {
  const answer = readAnswer(part.result);
  if (answer === undefined) return part.result ?? '';
  const { error, stdout, stderr, content, entries, matches } = answer;
  const texts = [error, stdout, stderr, content, entries, matches].filter((given) => given !== undefined);
  if (texts.length > 0) return joinLines(texts).replaceAll('\r\n', '\n');
  return viewOf(part.name).isWordless ? '' : JSON.stringify(answer, null, 2);
}

/** Why a command was ended, without what it had printed, which is shown beside it. */
export function reasonOf({ result: json }: ToolPart): string {
  return readAnswer(json)?.error?.split('; stdout so far: ')[0] ?? '';
}

/** Each text from the start of a line, without the empty ones. */
function joinLines(texts: readonly string[]): string {
  return texts
    .filter(Boolean)
    .reduce((all, next) => (all === '' || all.endsWith('\n') ? all + next : `${all}\n${next}`), '');
}
