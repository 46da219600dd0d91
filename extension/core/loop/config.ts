import * as z from 'zod';

/**
 * The limits of a run, with the defaults of the core. `apiKey` is required; a provider that needs none is given any text.
 * An application ships its own, larger values.
 */
export const config = z.strictObject({
  apiKey: z.string().min(1, 'an API key is required'),
  /** `provider/model` or an alias. */
  model: z.string().min(1).default('sonnet'),
  /** Of one reply. */
  maxTokens: z.int().positive().default(4096),
  /** Requests for one prompt. */
  maxTurns: z.int().positive().default(10),
  /** Calls of one reply that are run. */
  maxToolCallsPerTurn: z.int().positive().default(15),
  /** Added to the built-in instructions. */
  systemPrompt: z.string().default(''),
});
export type Config = z.output<typeof config>;

export class ConfigError extends Error {}

/** Fills in the defaults. Throws `ConfigError` that names each wrong field. */
export function createConfig(input: z.input<typeof config>): Config {
  const parsed = config.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
  );
}
