// The fields of a tool's JSON result that the panel knows.
import * as z from 'zod/mini';

/** Characters. */
const SHORT = 200_000;

const text = z.optional(z.string());
const place = z.looseObject({ path: z.string(), line: z.number(), text });
const problem = z.looseObject({
  path: z.string(),
  line: z.number(),
  column: z.number(),
  severity: z.string(),
  message: z.string(),
});
const symbol = z.looseObject({ name: z.string(), kind: z.string(), line: z.number(), depth: z.number() });
const answer = z.looseObject({
  error: text,
  exitCode: z.optional(z.number()),
  stdout: text,
  stderr: text,
  output: text,
  content: text,
  entries: text,
  matches: text,
  problems: z.optional(z.array(problem)),
  moreProblems: z.optional(z.number()),
  notChecked: z.optional(z.array(z.looseObject({ path: z.string() }))),
  places: z.optional(z.array(place)),
  symbols: z.optional(z.array(symbol)),
  more: z.optional(z.number()),
  files: z.optional(z.array(z.string())),
  paths: text,
  note: text,
  answer: text,
  image: text,
  mediaType: text,
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
