import type { ServerRefusal } from '../wire/classify-error.ts';
import { refusesLimit } from '../wire/output-limit.ts';
import type { Dialect } from './dialect.ts';

/** The message of a server that does not accept a field, or misses one, and the change of the dialect. */
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

/** "No endpoints found that support image input", "unknown variant `image_url`", "… is not a multimodal model" */
const NO_IMAGES =
  /\bno[t ][^.]*support[^.]*image|image[^.]*\bnot\b[^.]*(support|enabled|accepted|allowed)|not a multimodal|unknown variant `image|content must be a string/i;

/** "Unexpected role 'user' after role 'tool'", "Conversation roles must alternate user/assistant/user/assistant/..." */
const STRICT_TURNS = /unexpected role 'user'|roles must alternate/i;

/** The dialect that this refusal asks for; undefined if the refusal has another reason. */
export function repaired(dialect: Dialect, { answer, words }: ServerRefusal): Dialect | undefined {
  const change = changeFor(answer.status, words.text);
  return change && { ...dialect, ...change };
}

function changeFor(status: number | undefined, text: string): Partial<Dialect> | undefined {
  const isMalformed = status === 400 || status === 422;
  if (isMalformed && refusesLimit(text)) return { tokenField: undefined };
  if ((isMalformed || status === 500) && STRICT_TURNS.test(text)) return { strictTurns: true };
  // llama.cpp sends this with 500, OpenRouter with 404.
  if ((isMalformed || status === 404 || status === 500) && NO_IMAGES.test(text)) return { images: false };
  if (!isMalformed || !REFUSES.test(text)) return undefined;
  return REPAIRS.find(([pattern]) => pattern.test(text))?.[1];
}
