// The environment of this process's children. It lacks keys of model providers and access to the editor. It
// prevents prompts, because there is no user to answer them.

const DROPPED = [
  /^VSCODE_/i,
  /^ELECTRON_/i,
  /^GIT_ASKPASS$/i,
  /^HARNESS_.*(KEY|TOKEN|SECRET)/i,
  /^(ANTHROPIC|OPENAI|AZURE_OPENAI|CLAUDE|CODEX|GEMINI|GOOGLE|GOOGLE_AI|COHERE|TOGETHER|FIREWORKS|PERPLEXITY|MISTRAL|GROQ|DEEPSEEK|XAI|OPENROUTER|OLLAMA|LMSTUDIO|HF|HUGGINGFACE|HUGGING_FACE)_.*(KEY|TOKEN|SECRET|HEADERS)/i,
];

/** Options with which VS Code's debugger makes every Node process connect to it. */
const EDITOR_NODE_OPTIONS = /vscode|js-debug|--inspect/i;

/** Git does not prompt and uses no pager, and its editor accepts each text unchanged. */
const UNATTENDED = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_PAGER: 'cat', PAGER: 'cat' };

/** Returns a copy of `environment` for commands that the agent runs. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name, value]) => isKept(name, value ?? ''));
  return { ...Object.fromEntries(kept), ...UNATTENDED };
}

function isKept(name: string, value: string): boolean {
  if (/^NODE_OPTIONS$/i.test(name)) return !EDITOR_NODE_OPTIONS.test(value);
  return !DROPPED.some((pattern) => pattern.test(name));
}

/** Names of variables that probably hold a key or a password. */
const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Names of variables that hold headers for a gateway, one a line. */
const HEADERS = /_HEADERS$/i;
/** The part of such a line before the key. */
const BEFORE_KEY = /^[^:]*:\s*((bearer|basic)\s)?/i;

/** Values that other texts may contain, too: a word, a path, an address, a sentence. */
const NO_SECRET = /^.{0,15}$|^[/~.]|^[A-Za-z]:\\|^https?:|\s/s;

/**
 * Names of variables in which VS Code's window passes on its stored keys. Their values are secrets in any
 * form.
 */
const STORED = /^HARNESS_STORED_\d+_KEY$/;

/** Returns stored keys, and the values of `secretsOf` that other texts are unlikely to contain. */
export function longSecretsOf(environment: NodeJS.ProcessEnv): string[] {
  const stored = Object.keys(environment).filter((name) => STORED.test(name));
  return [
    ...stored.map((name) => environment[name] ?? ''),
    ...secretsOf(environment).filter((value) => !NO_SECRET.test(value)),
  ];
}

/** Returns the values of the environment that Harness must never write to a file. */
export function secretsOf(environment: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(environment).flatMap(([name, value = '']) => {
    if (SECRET.test(name)) return [value];
    return HEADERS.test(name) ? value.split('\n').map((line) => line.replace(BEFORE_KEY, '')) : [];
  });
  return values.map((value) => value.trim()).filter((value) => value !== '');
}
