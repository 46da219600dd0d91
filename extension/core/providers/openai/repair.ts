import type { ServerRefusal } from '../http/classify-error.ts';
import type { Dialect } from './dialect.ts';

/** The field that a server does not take, or misses, and how it is spoken with from then on. */
const REPAIRS: readonly (readonly [RegExp, Partial<Dialect>])[] = [
  [/stream_options/, { streamOptions: false }],
  // "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  [/max_tokens'.*max_completion_tokens/, { tokenField: 'max_completion_tokens' }],
  [/max_completion_tokens/, { tokenField: 'max_tokens' }],
  // "The `reasoning_content` in the thinking mode must be passed back to the API."
  [/reasoning_content.*(passed back|missing)/, { echo: 'reasoning_content' }],
  // "Function call is missing a thought_signature in functionCall parts."
  [/missing a `?thought_signature/, { echo: 'thought_signature' }],
  [/reasoning|thinking/, { efforts: {} }],
  [/\bdeveloper\b/, { systemRole: 'system' }],
];

const REFUSES =
  /un(supported|recognized|known|expected)|not (supported|permitted|allowed)|extra|passed back|missing/i;

/** The dialect that this refusal asks for; undefined where it is about something else. */
export function repaired(dialect: Dialect, { answer, words }: ServerRefusal): Dialect | undefined {
  if ((answer.status !== 400 && answer.status !== 422) || !REFUSES.test(words.text)) return undefined;
  const [, change] = REPAIRS.find(([pattern]) => pattern.test(words.text)) ?? [];
  return change && { ...dialect, ...change };
}
