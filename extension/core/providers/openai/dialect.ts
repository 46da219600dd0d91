// The differences between Chat Completions servers, as data. docs/dialects.md shows them.
import type { Effort } from '../../ports/model.ts';

/**
 * What a server expects with a message beside the data that it sent with it, which every server gets back.
 * - `reasoning_content`: the reasoning's text, and an empty one with calls of another model;
 * - `thinking_parts`: the reasoning's text as a part of the content;
 * - `thought_signature`: a dummy with calls of another model.
 */
export type Echo = 'none' | 'reasoning_content' | 'thinking_parts' | 'thought_signature';

type Fields = Readonly<Record<string, unknown>>;

export interface Dialect {
  readonly systemRole: 'system' | 'developer';
  /** The field that limits the reply's tokens; undefined if the server has a suitable limit itself. */
  readonly tokenField: 'max_tokens' | 'max_completion_tokens' | undefined;
  /** The content of a message that has only calls. */
  readonly emptyContent: null | '';
  readonly echo: Echo;
  /** The form of call ids: up to 40 letters, digits, `_` and `-`, or nine letters and digits. */
  readonly ids: 'common' | 'nine';
  /** The server accepts `stream_options`. Without it, a server reports the usage unasked, or never. */
  readonly streamOptions: boolean;
  /** The request fields for each effort; none for a missing effort. */
  readonly efforts: Readonly<Partial<Record<Effort, Fields>>>;
  /** The model writes its thinking between tags at the beginning of its text. */
  readonly thinkTags: boolean;
  readonly images: boolean;
  /**
   * The model's template accepts only alternating turns of user and model: no two prompts in a row, and none
   * after results.
   */
  readonly strictTurns: boolean;
  /** The server groups requests with the same `prompt_cache_key` in its cache. */
  readonly cacheKey: boolean;
  /** Sent with every request. */
  readonly extra: Fields;
}

/** A rule for some servers, for some models on them, or for some models on any server. */
export interface DialectRule extends Partial<Dialect> {
  /** What the rule applies to, for people. */
  readonly of: string;
  /** Names in the catalog. With `hosts`, one of the two must match. */
  readonly providers?: readonly string[];
  readonly hosts?: readonly string[];
  readonly models?: RegExp;
  /** The document or the observation that the rule is based on. */
  readonly source: string;
}

const LOW_TO_HIGH = efforts({
  none: 'low',
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
});

/** The dialect that every server understands, including unknown ones. */
export const COMMON: Dialect = {
  systemRole: 'system',
  tokenField: 'max_tokens',
  emptyContent: '',
  echo: 'none',
  ids: 'common',
  streamOptions: true,
  efforts: LOW_TO_HIGH,
  thinkTags: false,
  images: true,
  strictTurns: false,
  cacheKey: false,
  extra: {},
};

/** A later rule overrides an earlier one. */
export const RULES: readonly DialectRule[] = [
  {
    of: 'Any server: models that may think in their text',
    models: /deepseek-r1|r1-distill|qwq|qwen-?3|minimax-m|smollm3|phi-4-(mini-)?reasoning|[-_]thinking/i,
    thinkTags: true,
    source: 'the chat templates of these models, where a server does not parse them',
  },
  {
    of: 'OpenAI',
    hosts: ['api.openai.com'],
    tokenField: 'max_completion_tokens',
    emptyContent: null,
    efforts: {},
    cacheKey: true,
    source: 'developers.openai.com/api/reference/resources/chat',
  },
  {
    of: 'OpenAI: o models',
    hosts: ['api.openai.com'],
    models: /^o\d/,
    systemRole: 'developer',
    efforts: LOW_TO_HIGH,
    source: 'developers.openai.com/api/docs/guides/reasoning',
  },
  {
    of: 'OpenAI: gpt-5',
    hosts: ['api.openai.com'],
    models: /^gpt-5(-|$)/,
    systemRole: 'developer',
    efforts: efforts({
      none: 'minimal',
      minimal: 'minimal',
      low: 'low',
      medium: 'medium',
      high: 'high',
      xhigh: 'high',
    }),
    source: 'developers.openai.com/api/docs/guides/reasoning',
  },
  {
    of: 'OpenAI: gpt-5.1 and later',
    hosts: ['api.openai.com'],
    models: /^gpt-(5\.\d|[6-9])/,
    systemRole: 'developer',
    efforts: efforts({
      none: 'none',
      minimal: 'low',
      low: 'low',
      medium: 'medium',
      high: 'high',
      xhigh: 'xhigh',
    }),
    source: 'developers.openai.com/api/docs/guides/reasoning',
  },
  {
    of: 'Gemini',
    providers: ['gemini'],
    hosts: ['generativelanguage.googleapis.com'],
    echo: 'thought_signature',
    source: 'ai.google.dev/gemini-api/docs/openai, …/thought-signatures',
  },
  {
    of: 'Groq',
    providers: ['groq'],
    hosts: ['api.groq.com'],
    tokenField: 'max_completion_tokens',
    emptyContent: null,
    efforts: {},
    images: false,
    source: 'console.groq.com/docs/api-reference',
  },
  {
    of: 'Groq: gpt-oss',
    providers: ['groq'],
    hosts: ['api.groq.com'],
    models: /gpt-oss/,
    efforts: LOW_TO_HIGH,
    source: 'console.groq.com/docs/reasoning',
  },
  {
    of: 'Groq: Qwen',
    providers: ['groq'],
    hosts: ['api.groq.com'],
    models: /qwen/,
    efforts: efforts({ none: 'none' }),
    images: true,
    source: 'console.groq.com/docs/reasoning, …/vision',
  },
  {
    of: 'OpenRouter',
    providers: ['openrouter'],
    hosts: ['openrouter.ai'],
    efforts: efforts(
      { none: 'none', minimal: 'minimal', low: 'low', medium: 'medium', high: 'high', xhigh: 'xhigh' },
      (effort) => ({ reasoning: { effort } }),
    ),
    source: 'openrouter.ai/docs/use-cases/reasoning-tokens',
  },
  {
    of: 'OpenRouter: Claude',
    providers: ['openrouter'],
    hosts: ['openrouter.ai'],
    models: /^~?anthropic\//,
    extra: { cache_control: { type: 'ephemeral' } },
    source: 'openrouter.ai/docs/client-sdks/typescript/models/anthropiccachecontroldirective',
  },
  {
    of: 'DeepSeek',
    providers: ['deepseek'],
    hosts: ['api.deepseek.com'],
    echo: 'reasoning_content',
    efforts: {
      none: { thinking: { type: 'disabled' } },
      ...efforts({ minimal: 'low', low: 'low', medium: 'high', high: 'high', xhigh: 'max' }),
    },
    source: 'api-docs.deepseek.com/guides/thinking_mode',
  },
  {
    of: 'DeepSeek: pro models',
    providers: ['deepseek'],
    hosts: ['api.deepseek.com'],
    models: /-pro/,
    images: false,
    source: 'api-docs.deepseek.com/quick_start/pricing',
  },
  {
    of: 'Moonshot',
    hosts: ['api.moonshot.ai', 'api.moonshot.cn'],
    echo: 'reasoning_content',
    efforts: {},
    source: 'platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model',
  },
  {
    of: 'Mistral',
    providers: ['mistral'],
    hosts: ['api.mistral.ai'],
    echo: 'thinking_parts',
    ids: 'nine',
    streamOptions: false,
    efforts: {},
    source: 'docs.mistral.ai/api',
  },
  {
    of: 'Mistral: models for code',
    providers: ['mistral'],
    hosts: ['api.mistral.ai'],
    models: /^(codestral|devstral)/,
    images: false,
    source: 'docs.mistral.ai/capabilities/vision',
  },
  {
    of: 'Mistral: models whose reasoning can be adjusted',
    providers: ['mistral'],
    hosts: ['api.mistral.ai'],
    models: /^mistral-(small|medium|large)/,
    efforts: efforts({ none: 'none', high: 'high', xhigh: 'high' }),
    source: 'docs.mistral.ai/inference/conversations/reasoning',
  },
  {
    of: 'xAI',
    providers: ['xai'],
    hosts: ['api.x.ai'],
    tokenField: 'max_completion_tokens',
    efforts: {},
    source: 'docs.x.ai/docs/api-reference',
  },
  {
    of: 'xAI: models whose reasoning can be adjusted',
    providers: ['xai'],
    hosts: ['api.x.ai'],
    models: /^grok-(4\.[3-9]|latest)/,
    efforts: efforts({
      none: 'none',
      minimal: 'low',
      low: 'low',
      medium: 'medium',
      high: 'high',
      xhigh: 'high',
    }),
    source: 'docs.x.ai/developers/model-capabilities/text/reasoning',
  },
  {
    of: 'LM Studio',
    providers: ['lmstudio'],
    efforts: {},
    thinkTags: true,
    source: 'lmstudio.ai/docs/developer/openai-compat',
  },
  {
    of: 'LM Studio: gpt-oss',
    providers: ['lmstudio'],
    models: /gpt-oss/,
    efforts: LOW_TO_HIGH,
    source: 'lmstudio.ai/docs/developer/api-changelog',
  },
];

/** The dialect for a model of this provider at this address. */
export function dialectOf(provider: string, baseUrl: string, model: string): Dialect {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).host : '';
  const fitting = RULES.filter((rule) => fits(rule, provider, host) && (rule.models?.test(model) ?? true));
  return Object.assign({ ...COMMON }, ...fitting);
}

function fits({ providers, hosts }: DialectRule, provider: string, host: string): boolean {
  if (!providers && !hosts) return true;
  return (providers?.includes(provider) ?? false) || (hosts?.includes(host) ?? false);
}

function efforts(
  words: Readonly<Partial<Record<Effort, string>>>,
  toFields: (word: string) => Fields = (word) => ({ reasoning_effort: word }),
): Dialect['efforts'] {
  return Object.fromEntries(Object.entries(words).map(([effort, word]) => [effort, toFields(word)]));
}
