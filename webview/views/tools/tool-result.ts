// What a tool answered, for a person to read.
import * as z from 'zod/mini';
import type { ToolPart } from '../../state/parts.ts';

/** Characters. */
const SHORT_RESULT = 200_000;

const text = z.optional(z.string());
const result = z.looseObject({
  error: text,
  exitCode: z.optional(z.number()),
  stdout: text,
  stderr: text,
  content: text,
  entries: text,
  matches: text,
});
type Result = z.infer<typeof result>;

/** Tools of which the card's line says all that a success has to tell. */
const wordless = new Set(['edit', 'write', 'move']);

/** What the tool answered, for a person to read; empty where the card's line says it all. */
export function resultText(part: ToolPart): string {
  const answer = readResult(part.result);
  if (answer === undefined) return part.result ?? '';
  const { error, stdout, stderr, content, entries, matches } = answer;
  const texts = [error, stdout, stderr, content, entries, matches].filter((given) => given !== undefined);
  if (texts.length > 0) return joinLines(texts).replaceAll('\r\n', '\n');
  return wordless.has(part.name) ? '' : JSON.stringify(answer, null, 2);
}

/** Why a command was ended, without what it had printed, which is shown beside it. */
export function reasonOf({ result: json }: ToolPart): string {
  return readResult(json)?.error?.split('; stdout so far: ')[0] ?? '';
}

/** Each text from the start of a line, without the empty ones. */
function joinLines(texts: readonly string[]): string {
  return texts
    .filter(Boolean)
    .reduce((all, next) => (all === '' || all.endsWith('\n') ? all + next : `${all}\n${next}`), '');
}

/** The answer, unless it is too long to be read only for the card's line. */
export function readShortResult({ result: json = '' }: ToolPart): Result | undefined {
  return json.length > SHORT_RESULT ? undefined : readResult(json);
}

function readResult(json = ''): Result | undefined {
  try {
    return result.safeParse(JSON.parse(json)).data;
  } catch {
    // Not JSON: shown as it is.
    return undefined;
  }
}
