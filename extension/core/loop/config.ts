import * as z from 'zod/mini';
import '../base/zod-messages.ts';
import { say } from '../../protocol/say.ts';
import { SetupError } from '../base/setup-error.ts';
import { EFFORTS } from '../ports/model.ts';
import { needsKey, type ProviderEntry } from '../providers/catalog.ts';
import { Router } from '../providers/router.ts';

/** What the editor and the command line use instead of the core's defaults where the user has set nothing. */
export const SHIPPED = { maxTokens: 32_000, maxTurns: 100 } as const;

export const DEFAULT_MODEL = 'sonnet';

/** Milliseconds for one command. */
export const TIMEOUT_MS = 30_000;

const config = z.strictObject({
  /** Required by every provider that uses keys. */
  apiKey: z._default(z.string(), ''),
  /** Base URL of the model API, as in the vendor's own SDK; empty for the vendor's default. */
  baseUrl: z._default(z.string(), ''),
  /** `provider/model` or an alias. */
  model: z._default(z.string().check(z.minLength(1)), DEFAULT_MODEL),
  /** Reasoning effort; absent for the model's own default. */
  effort: z.optional(z.enum(EFFORTS)),
  /** Tokens of one reply. */
  maxTokens: z._default(z.int().check(z.positive()), 4096),
  /** Requests for one prompt. */
  maxTurns: z._default(z.int().check(z.positive()), 10),
  /** Calls of one reply that Harness runs. */
  maxToolCallsPerTurn: z._default(z.int().check(z.positive()), 15),
  /**
   * `grouped`: neighboring calls that only read run together, and a failure stops later changes. `strict`: one
   * call after the other, and the first failure stops everything.
   */
  toolOrder: z._default(z.enum(['grouped', 'strict']), 'grouped'),
  /** Milliseconds for one command. */
  timeoutMs: z._default(z.int().check(z.positive()), TIMEOUT_MS),
  /** Added to the built-in instructions. */
  systemPrompt: z._default(z.string(), ''),
});

/** The limits of a run. The defaults are the core's; an application ships larger ones (`SHIPPED`). */
export type Config = Omit<z.output<typeof config>, 'model'> & {
  readonly provider: ProviderEntry;
  /** Without the provider's prefix. */
  readonly model: string;
};
export type ConfigInput = z.input<typeof config>;

/** Fills in the defaults and resolves the model. Throws a `SetupError` that says what is missing or wrong. */
export function createConfig(input: ConfigInput, router = new Router()): Config {
  const parsed = config.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new SetupError('config', say('The configuration is not valid: {0}.', problems.join('; ')));
  }
  const { entry, model } = router.resolve(parsed.data.model);
  const { apiKey, baseUrl } = parsed.data;
  if (entry.key && apiKey === '' && needsKey(entry, baseUrl)) {
    throw new SetupError('no_key', missingKey(entry.label, entry.key.variable));
  }
  return { ...parsed.data, provider: entry, model };
}

function missingKey(provider: string, variable: string): string {
  return say(
    'There is no API key for {0}. Set one with “Harness: Set API Key” (or {1}), or try the demo model.',
    provider,
    variable,
  );
}
