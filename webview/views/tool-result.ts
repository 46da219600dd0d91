// What a tool was given and what it answered, for a person to read.
import * as z from 'zod/mini';
import type { ToolPart } from '../state/parts.ts';
import { stripControls } from '../state/plain-text.ts';

/** Characters. */
const SHORT_RESULT = 200_000;

const result = z.looseObject({
  error: z.optional(z.string()),
  exitCode: z.optional(z.number()),
  stdout: z.optional(z.string()),
  stderr: z.optional(z.string()),
  content: z.optional(z.string()),
  entries: z.optional(z.string()),
  matches: z.optional(z.string()),
});
type Result = z.infer<typeof result>;

/** What the tool answered, for a person to read. */
export function resultText(part: ToolPart): string {
  const answer = readResult(part.result);
  if (answer === undefined) return stripControls(part.result ?? '');
  const { error, stdout, stderr, content, entries, matches } = answer;
  const texts = [error, stdout, stderr, content, entries, matches].filter((text) => text !== undefined);
  return stripControls(texts.length > 0 ? texts.filter(Boolean).join('\n') : JSON.stringify(answer, null, 2));
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
