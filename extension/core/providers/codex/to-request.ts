import type { ToolSpec, Turn } from '../../ports/model.ts';
import { wellFormedData, wellFormedText } from '../http/well-formed.ts';
import type { WireFields } from './finished-item.ts';
import { effortFor, takesFreeform, takesVerbosity, thinks } from './models.ts';
import { toInput, type UnreadableBlocks } from './to-input.ts';

/** The API takes no smaller limit. */
const MIN_OUTPUT = 16;
const MAX_CACHE_KEY = 64;

/** What the server has refused: items that it was to have kept, to sum up what it thinks, a limit that is larger than its own. */
export type Refused = 'kept_items' | 'summary' | 'limit';

/**
 * The body of a Responses request. The server keeps nothing: everything is sent each time, with what the model thought
 * encrypted. The requests of a session begin with the same bytes as long as the turns do. What is in `refused` is not
 * asked for, and blocks that are `unreadable` are not sent.
 */
export function toRequest(
  turn: Turn,
  refused: ReadonlySet<Refused> = new Set(),
  unreadable: UnreadableBlocks = new Set(),
): WireFields {
  const { model, tools, session } = turn;
  const freeform = takesFreeform(model);
  return {
    model,
    instructions: wellFormedText(turn.system),
    stream: true,
    store: false,
    ...(session && { prompt_cache_key: session.slice(0, MAX_CACHE_KEY) }),
    ...(!refused.has('limit') && { max_output_tokens: Math.max(turn.maxTokens, MIN_OUTPUT) }),
    ...(thinks(model) && { include: ['reasoning.encrypted_content'], reasoning: toReasoning(turn, refused) }),
    ...(takesVerbosity(model) && { text: { verbosity: 'low' } }),
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toTool(tool, freeform)),
      tool_choice: 'auto',
      parallel_tool_calls: true,
    }),
    input: toInput(turn.messages, { model, freeform, stateless: refused.has('kept_items') }, unreadable),
  };
}

function toReasoning({ model, effort }: Turn, refused: ReadonlySet<Refused>): WireFields {
  return {
    ...(effort && { effort: effortFor(model, effort) }),
    ...(!refused.has('summary') && { summary: 'auto' }),
  };
}

/** `strict` would have every field required; calls are checked here anyway. */
function toTool({ name, description, inputSchema, freeform }: ToolSpec, takesFreeform: boolean): WireFields {
  const about = { name, description: wellFormedText(description) };
  if (freeform && takesFreeform)
    return { type: 'custom', ...about, format: { type: 'grammar', ...freeform } };
  const { $schema: _, ...parameters } = wellFormedData(inputSchema);
  return { type: 'function', ...about, strict: false, parameters };
}
