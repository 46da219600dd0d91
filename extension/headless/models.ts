import { createProvider } from '../core/providers/create-provider.ts';
import { PROVIDERS } from '../core/providers/model-reference.ts';
import { systemClock } from '../node/system-clock.ts';
import { parseCommand, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';

/** `harness models`. */
export async function models(args: readonly string[]): Promise<number> {
  const { options } = parseCommand('models', args);
  if (!PROVIDERS.some((known) => known === options.provider)) {
    throw new UsageError(`there is no provider “${options.provider}”; there are ${PROVIDERS.join(', ')}`);
  }
  const provider = await createProvider(options.provider, {
    apiKey: process.env.ANTHROPIC_API_KEY ?? '',
    baseUrl: process.env.ANTHROPIC_BASE_URL ?? '',
    clock: systemClock,
  });
  for (const model of await provider.listModels(new AbortController().signal)) {
    const name = `${options.provider}/${model.id}`;
    process.stdout.write(
      `${options.json ? JSON.stringify({ ...model, id: name }) : `${name}\t${model.name}`}\n`,
    );
  }
  return EXIT.done;
}
