import { createProvider } from '../core/providers/create-provider.ts';
import { Router } from '../core/providers/router.ts';
import { patientFetch } from '../node/patient-fetch.ts';
import { systemClock } from '../node/system-clock.ts';
import { parseCommand, UsageError } from './arguments.ts';
import { accessOf } from './compose.ts';
import { EXIT } from './exit-codes.ts';

/** `harness models`. */
export async function models(args: readonly string[]): Promise<number> {
  const { options } = parseCommand('models', args);
  const router = new Router();
  const entry = router.find(options.provider);
  if (!entry) {
    const names = router.providers.map(({ name }) => name).join(', ');
    throw new UsageError(`there is no provider “${options.provider}”; there are ${names}`);
  }
  const provider = await createProvider(entry, {
    ...accessOf(entry, options['base-url']),
    clock: systemClock,
    fetch: patientFetch,
  });
  for (const model of await provider.listModels(new AbortController().signal)) {
    const name = `${options.provider}/${model.id}`;
    process.stdout.write(
      `${options.json ? JSON.stringify({ ...model, id: name }) : `${name}\t${model.name}`}\n`,
    );
  }
  return EXIT.done;
}
