// The JSON that a tool answers, as far as the panel knows its fields.
import * as z from 'zod/mini';

/** Characters. */
const SHORT = 200_000;

const text = z.optional(z.string());
const answer = z.looseObject({
  error: text,
  exitCode: z.optional(z.number()),
  stdout: text,
  stderr: text,
  content: text,
  entries: text,
  matches: text,
});
export type ToolAnswer = z.infer<typeof answer>;

/** Undefined where it is no JSON object, as of a tool of somebody else. */
export function readAnswer(json = ''): ToolAnswer | undefined {
  try {
    return answer.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** The same, unless it is too long to be read only for the card's line. */
export function readShortAnswer(json = ''): ToolAnswer | undefined {
  return json.length > SHORT ? undefined : readAnswer(json);
}
