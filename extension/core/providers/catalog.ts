// All providers that Harness has built in. The user's own providers have the same shape.

/** The module that implements the protocol. */
export type ProtocolName = 'anthropic' | 'responses' | 'chat' | 'ollama' | 'lmstudio' | 'vscode' | 'demo';

export interface ProviderKey {
  /** The environment variable that the vendor's own tools read. */
  readonly variable: string;
  /** The beginning of every key; empty if unknown. */
  readonly prefix: string;
  /** The page where the user gets a key. */
  readonly console: string;
}

export interface ProviderEntry {
  /** The prefix in `provider/model`. */
  readonly name: string;
  /** The display name. */
  readonly label: string;
  readonly protocol: ProtocolName;
  /** In the form that the vendor's own SDK expects; empty if there is none. */
  readonly baseUrl: string;
  /** The setting and the environment variable for another address. */
  readonly setting: string;
  readonly variable?: string;
  /** Absent if the provider needs no key. */
  readonly key?: ProviderKey;
  /** Ids that belong to this provider even without its prefix. */
  readonly models: readonly RegExp[];
  readonly images: boolean;
}

const ENDPOINTS = 'harness.openaiCompatible.endpoints';

export const catalog: readonly ProviderEntry[] = [
  {
    name: 'anthropic',
    label: 'Anthropic',
    protocol: 'anthropic',
    baseUrl: 'https://api.anthropic.com',
    setting: 'harness.anthropic.baseUrl',
    variable: 'ANTHROPIC_BASE_URL',
    key: { variable: 'ANTHROPIC_API_KEY', prefix: 'sk-ant-', console: 'console.anthropic.com' },
    models: [/^claude-/],
    images: true,
  },
  {
    name: 'codex',
    label: 'OpenAI',
    protocol: 'responses',
    baseUrl: 'https://api.openai.com/v1',
    setting: 'harness.codex.baseUrl',
    variable: 'OPENAI_BASE_URL',
    key: { variable: 'OPENAI_API_KEY', prefix: 'sk-', console: 'platform.openai.com' },
    models: [/^gpt-\d/, /^o\d/, /^codex-/],
    images: true,
  },
  {
    name: 'openai',
    label: 'OpenAI (Chat Completions)',
    protocol: 'chat',
    baseUrl: 'https://api.openai.com/v1',
    setting: 'harness.openai.baseUrl',
    variable: 'OPENAI_BASE_URL',
    key: { variable: 'OPENAI_API_KEY', prefix: 'sk-', console: 'platform.openai.com' },
    models: [],
    images: true,
  },
  {
    name: 'gemini',
    label: 'Google Gemini',
    protocol: 'chat',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    setting: ENDPOINTS,
    key: { variable: 'GEMINI_API_KEY', prefix: '', console: 'aistudio.google.com' },
    models: [/^gemini-/],
    images: true,
  },
  {
    name: 'groq',
    label: 'Groq',
    protocol: 'chat',
    baseUrl: 'https://api.groq.com/openai/v1',
    setting: ENDPOINTS,
    key: { variable: 'GROQ_API_KEY', prefix: 'gsk_', console: 'console.groq.com' },
    models: [],
    images: true,
  },
  {
    name: 'openrouter',
    label: 'OpenRouter',
    protocol: 'chat',
    baseUrl: 'https://openrouter.ai/api/v1',
    setting: ENDPOINTS,
    key: { variable: 'OPENROUTER_API_KEY', prefix: 'sk-or-', console: 'openrouter.ai' },
    models: [],
    images: true,
  },
  {
    name: 'deepseek',
    label: 'DeepSeek',
    protocol: 'chat',
    baseUrl: 'https://api.deepseek.com',
    setting: ENDPOINTS,
    key: { variable: 'DEEPSEEK_API_KEY', prefix: 'sk-', console: 'platform.deepseek.com' },
    models: [/^deepseek-/],
    images: true,
  },
  {
    name: 'mistral',
    label: 'Mistral',
    protocol: 'chat',
    baseUrl: 'https://api.mistral.ai/v1',
    setting: ENDPOINTS,
    key: { variable: 'MISTRAL_API_KEY', prefix: '', console: 'console.mistral.ai' },
    models: [/^(mistral|ministral|codestral|devstral|magistral)-/],
    images: true,
  },
  {
    name: 'xai',
    label: 'xAI',
    protocol: 'chat',
    baseUrl: 'https://api.x.ai/v1',
    setting: ENDPOINTS,
    key: { variable: 'XAI_API_KEY', prefix: 'xai-', console: 'console.x.ai' },
    models: [/^grok-/],
    images: true,
  },
  {
    name: 'ollama',
    label: 'Ollama',
    protocol: 'ollama',
    baseUrl: 'http://127.0.0.1:11434',
    setting: 'harness.ollama.baseUrl',
    variable: 'OLLAMA_HOST',
    models: [],
    images: true,
  },
  {
    name: 'lmstudio',
    label: 'LM Studio',
    protocol: 'lmstudio',
    baseUrl: 'http://127.0.0.1:1234/v1',
    setting: 'harness.lmstudio.baseUrl',
    models: [],
    images: true,
  },
  {
    name: 'vscode',
    label: 'VS Code',
    protocol: 'vscode',
    baseUrl: '',
    setting: '',
    models: [],
    images: false,
  },
  {
    name: 'demo',
    label: 'Demo',
    protocol: 'demo',
    baseUrl: '',
    setting: '',
    models: [],
    images: false,
  },
];

/**
 * `address` is the configured one, empty for the default. A Chat Completions provider at another address may
 * need no key.
 */
export function needsKey({ protocol, key, baseUrl }: ProviderEntry, address: string): boolean {
  const isOwn = address === '' || address.replace(/\/+$/, '') === baseUrl.replace(/\/+$/, '');
  return key !== undefined && (isOwn || protocol !== 'chat');
}
