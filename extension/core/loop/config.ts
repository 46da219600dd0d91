import * as z from 'zod';
import { say } from '../../protocol/say.ts';
import { EFFORTS } from '../ports/model.ts';
import type { ProviderEntry } from '../providers/catalog.ts';
import { Router } from '../providers/router.ts';
import { SetupError } from './setup-error.ts';

/** What the editor and the command line ship in the place of the core's defaults, where the user has set nothing. */
export const SHIPPED = { maxTokens: 32_000, maxTurns: 25 } as const;

export const DEFAULT_MODEL = 'sonnet';

/** Of one command. */
export const TIMEOUT_MS = 30_000;

const config = z.strictObject({
  /** Required by every provider that has keys. */
  apiKey: z.string().default(''),
  /** Of the model API, as the vendor's own SDK means it; empty for the vendor's. */
  baseUrl: z.string().default(''),
  /** `provider/model` or an alias. */
  model: z.string().min(1).default(DEFAULT_MODEL),
  /** How much to think; the model's own measure where it is left out. */
  effort: z.enum(EFFORTS).optional(),
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
  readonly provider: ProviderEntry;
  /** Without the provider's prefix. */
  readonly model: string;
};
export type ConfigInput = z.input<typeof config>;

/** Fills in the defaults and resolves the model. Throws `SetupError` that says what is missing or wrong. */
export function createConfig(input: ConfigInput, router = new Router()): Config {
  const parsed = config.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new SetupError('config', say('The configuration is wrong: {0}.', problems.join('; ')));
  }
  const { entry, model } = router.resolve(parsed.data.model);
  if (entry.key && parsed.data.apiKey === '') {
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
