// The fields of a tool's JSON result that the panel knows.
import * as z from 'zod/mini';

/** Characters. */
const SHORT = 200_000;

const text = z.optional(z.string());
const answer = z.looseObject({
  error: text,
  exitCode: z.optional(z.number()),
  stdout: text,
  stderr: text,
  output: text,
  content: text,
  entries: text,
  matches: text,
});
export type ToolAnswer = z.infer<typeof answer>;

/** Undefined if the result is not a JSON object, such as that of a third-party tool. */
export function readAnswer(json = ''): ToolAnswer | undefined {
  try {
    return answer.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}

/** Like `readAnswer`, but skips a long result, which is too expensive to parse only for the card's line. */
export function readShortAnswer(json = ''): ToolAnswer | undefined {
  return json.length > SHORT ? undefined : readAnswer(json);
}
