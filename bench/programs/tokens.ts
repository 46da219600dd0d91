// Estimates the tokens that each request to a provider begins with. Prints them as JSON, by the provider's name.
import { fixedTokens } from '../../test/support/first-request.ts';

const NAMES = ['anthropic', 'codex', 'openai', 'ollama', 'lmstudio'];

const tokens: Record<string, number> = {};
for (const name of NAMES) tokens[name] = await fixedTokens(name);
process.stdout.write(JSON.stringify(tokens));
