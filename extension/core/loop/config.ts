import * as z from 'zod';
import { say } from '../../protocol/say.ts';
import { needsKey } from '../providers/create-provider.ts';
import { resolveModel } from '../providers/model-reference.ts';
import { SetupError } from './setup-error.ts';

/** What the editor and the command line ship in the place of the core's defaults, where the user has set nothing. */
export const SHIPPED = { maxTokens: 32_000, maxTurns: 25 } as const;

/** Of one command. */
export const TIMEOUT_MS = 30_000;

const config = z.strictObject({
  /** Required by every provider but the demo. */
  apiKey: z.string().default(''),
  /** Of the model API, as the vendor's own SDK means it; empty for the vendor's. */
  baseUrl: z.string().default(''),
  /** `provider/model` or an alias. */
  model: z.string().min(1).default('sonnet'),
  /** Of one reply. */
  maxTokens: z.int().positive().default(4096),
  /** Requests for one prompt. */
  maxTurns: z.int().positive().default(10),
  /** Calls of one reply that are run. */
  maxToolCallsPerTurn: z.int().positive().default(15),
  /** Of one command. */
  timeoutMs: z.int().positive().default(TIMEOUT_MS),
  /** Added to the built-in instructions. */
  systemPrompt: z.string().default(''),
});

/** The limits of a run. The defaults are the core's; an application ships larger ones (`SHIPPED`). */
export type Config = Omit<z.output<typeof config>, 'model'> & {
  readonly provider: string;
  /** Without the provider's prefix. */
  readonly model: string;
};
export type ConfigInput = z.input<typeof config>;

/** Fills in the defaults and resolves the model. Throws `SetupError` that says what is missing or wrong. */
export function createConfig(input: ConfigInput): Config {
  const parsed = config.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new SetupError('config', say('The configuration is wrong: {0}.', problems.join('; ')));
  }
  const { provider, model } = resolveModel(parsed.data.model);
  if (needsKey(provider) && parsed.data.apiKey === '') throw new SetupError('no_key', missingKey(provider));
  return { ...parsed.data, provider, model };
}

function missingKey(provider: string): string {
  return say(
    'There is no API key for {0}. Set one with “Harness: Set API Key” (or ANTHROPIC_API_KEY), or try the demo model.',
    provider,
  );
}
