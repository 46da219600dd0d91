// What the children of this process get of its environment: nothing that holds a key of a model provider, a way back
// into the editor, or a question that nobody would answer.

const DROPPED = [
  /^VSCODE_/i,
  /^ELECTRON_/i,
  /^GIT_ASKPASS$/i,
  /^HARNESS_.*(KEY|TOKEN|SECRET)/i,
  /^(ANTHROPIC|OPENAI|AZURE_OPENAI|CLAUDE|CODEX|GEMINI|GOOGLE|GOOGLE_AI|COHERE|TOGETHER|FIREWORKS|PERPLEXITY|MISTRAL|GROQ|DEEPSEEK|XAI|OPENROUTER|OLLAMA|LMSTUDIO|HF|HUGGINGFACE|HUGGING_FACE)_.*(KEY|TOKEN|SECRET|HEADERS)/i,
];

/** VS Code's debugger makes every Node process report to it. */
const EDITOR_NODE_OPTIONS = /vscode|js-debug|--inspect/i;

/** Questions are answered with no, pages are printed, and an editor takes a text as it is. */
const UNATTENDED = { GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: 'true', GIT_PAGER: 'cat', PAGER: 'cat' };

/** A copy of `environment` for commands that the agent runs. */
export function childEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name, value]) => isKept(name, value ?? ''));
  return { ...Object.fromEntries(kept), ...UNATTENDED };
}

function isKept(name: string, value: string): boolean {
  if (/^NODE_OPTIONS$/i.test(name)) return !EDITOR_NODE_OPTIONS.test(value);
  return !DROPPED.some((pattern) => pattern.test(name));
}

/** What looks like a key or a password, by its name. */
const SECRET = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i;

/** Headers for a gateway, one a line. */
const HEADERS = /_HEADERS$/i;
/** What stands before the key in such a line. */
const BEFORE_KEY = /^[^:]*:\s*((bearer|basic)\s)?/i;

/** What a value is that others texts may hold too: a word, a path, an address, a sentence. */
const NO_SECRET = /^.{0,15}$|^[/~.]|^[A-Za-z]:\\|^https?:|\s/s;

/** By which VS Code's window hands on the keys that it stores: secrets, whatever they look like. */
const STORED = /^HARNESS_STORED_\d+_KEY$/;

/** Those of `secretsOf` that can be told from other texts, wherever they stand, and stored keys. */
export function longSecretsOf(environment: NodeJS.ProcessEnv): string[] {
  const stored = Object.keys(environment).filter((name) => STORED.test(name));
  return [
    ...stored.map((name) => environment[name] ?? ''),
    ...secretsOf(environment).filter((value) => !NO_SECRET.test(value)),
  ];
}

/** Values of the environment that must not be written down. */
export function secretsOf(environment: NodeJS.ProcessEnv): string[] {
  const values = Object.entries(environment).flatMap(([name, value = '']) => {
    if (SECRET.test(name)) return [value];
    return HEADERS.test(name) ? value.split('\n').map((line) => line.replace(BEFORE_KEY, '')) : [];
  });
  return values.map((value) => value.trim()).filter((value) => value !== '');
}
