// The request fields for Claude's thinking, which differ for each generation.
// https://platform.claude.com/docs/en/build-with-claude/thinking and …/effort, November 2026.
import type {
  ContentBlockParam,
  MessageCreateParamsStreaming,
  OutputConfig,
} from '@anthropic-ai/sdk/resources/messages';
import type { Effort, Turn } from '../../ports/model.ts';

/** A message in a request. */
export interface AnthropicMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlockParam[];
}

type Asked = Pick<MessageCreateParamsStreaming, 'thinking' | 'output_config'>;

interface Generation {
  readonly line: string;
  /** For example, 406 for version 4.6. */
  readonly version: number;
}

/** The first version that decides itself when to think. Later versions refuse a budget. */
const ADAPTIVE = 406;
/** The first version that can think with a budget and between its calls. */
const BUDGET = 400;
/** The first version that distinguishes `xhigh` from `high`. */
const XHIGH = 407;
/** The last version whose thinking can be turned off, except for the small model. */
const LAST_OFF = 500;

/**
 * The request fields for the turn's effort. Without an effort, the model's own default applies; a model with
 * a budget then does not think. Empty for a model that is not Claude or is too old.
 */
export function thinkingOf({ model, effort, maxTokens }: Turn, messages: readonly AnthropicMessage[]): Asked {
  const generation = generationOf(model);
  if (!generation || generation.version < BUDGET) return {};
  if (generation.version >= ADAPTIVE) return adaptive(generation, effort);
  const budget = budgetOf(effort, maxTokens);
  if (budget === undefined || beganWithoutThinking(messages)) return {};
  return { thinking: { type: 'enabled', budget_tokens: budget } };
}

/** Models with a budget need this header to think between their calls; later models always do. */
export function betaHeaders({
  thinking,
  tools,
}: Pick<MessageCreateParamsStreaming, 'thinking' | 'tools'>): Record<string, string> {
  return thinking?.type === 'enabled' && tools ? { 'anthropic-beta': 'interleaved-thinking-2025-05-14' } : {};
}

/** `claude-opus-4-6`, with or without the date of a snapshot. */
const NAME = /^claude-([a-z]+)-(\d+)(?:-(\d{1,2}))?(?:-\d{8})?$/;

function generationOf(model: string): Generation | undefined {
  const [, line = '', major, minor = '0'] = NAME.exec(model) ?? [];
  return major === undefined ? undefined : { line, version: Number(major) * 100 + Number(minor) };
}

function adaptive(generation: Generation, effort: Effort | undefined): Asked {
  const off = effort === 'none' ? withoutThinking(generation) : undefined;
  if (off) return { thinking: off };
  return {
    // Summarized, because current models write their progress into thinking blocks, and the default leaves
    // these empty.
    thinking: { type: 'adaptive', display: 'summarized' },
    ...(effort && { output_config: { effort: levelOf(effort, generation) } }),
  };
}

/** Undefined if the model always thinks; the caller then requests the lowest effort. */
function withoutThinking({ line, version }: Generation): Asked['thinking'] {
  if (line === 'sonnet' && version === 505) return { type: 'between_tools' };
  if (line === 'haiku' && version === 505) return { type: 'disabled' };
  const canBeOff = (line === 'opus' || line === 'sonnet') && version <= LAST_OFF;
  return canBeOff ? { type: 'disabled' } : undefined;
}

/** The supported level nearest to `effort`. */
function levelOf(effort: Effort, { version }: Generation): NonNullable<OutputConfig['effort']> {
  if (effort === 'none' || effort === 'minimal') return 'low';
  return effort === 'xhigh' && version < XHIGH ? 'high' : effort;
}

/** "Must be ≥1024 and less than `max_tokens`." */
const LEAST_BUDGET = 1024;

/** The share of a reply's tokens for thinking; the rest is for the answer. */
const SHARES: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 0,
  low: 1 / 8,
  medium: 1 / 4,
  high: 1 / 2,
  xhigh: 3 / 4,
};

function budgetOf(effort: Effort | undefined, maxTokens: number): number | undefined {
  if (effort === undefined || effort === 'none' || maxTokens <= LEAST_BUDGET) return undefined;
  return Math.max(LEAST_BUDGET, Math.floor(maxTokens * SHARES[effort]));
}

/**
 * The turn began without thinking, with another model or another effort, and must continue without it: "When
 * `thinking` is enabled, a final `assistant` message must start with a thinking block".
 */
function beganWithoutThinking(messages: readonly AnthropicMessage[]): boolean {
  const isPrompt = ({ role, content }: AnthropicMessage) =>
    role === 'user' && !content.some(({ type }) => type === 'tool_result');
  const first = messages[messages.findLastIndex(isPrompt) + 1]?.content[0];
  return first !== undefined && !isThinking(first);
}

export function isThinking(block: ContentBlockParam): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}
