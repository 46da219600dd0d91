import type { ModelProvider } from '../../ports/model.ts';
import type { ProviderEntry } from '../../providers/catalog.ts';
import type { createProvider } from '../../providers/create-provider.ts';
import { masksInJson } from '../masks.ts';
import { nothing } from '../port-interceptor.ts';
import type { PlainProvider } from '../ports/settings.ts';
import { STILL_CLOCK } from './stage.ts';

/** Stands for the key that is not in the recording. */
const KEY = 'key-of-the-recording';

/** The provider that was recorded: the real one, which reads what its server sent, where there was a wire; else one that is never asked. */
export async function recreateProvider(
  { name, tools, origin }: PlainProvider,
  product: { readonly createProvider: typeof createProvider },
): Promise<ModelProvider> {
  if (!origin)
    return { name, ...(tools && { tools }), streamTurn: () => nothing(), listModels: async () => [] };
  const { entry, baseUrl, hasKey } = origin;
  const provider = await product.createProvider(
    // Written down without the pattern of its models, which nobody asks for here.
    { ...(entry as Omit<ProviderEntry, 'models'>), models: [] },
    { apiKey: hasKey ? KEY : '', baseUrl, clock: STILL_CLOCK, fetch: noFetch },
  );
  return readingMasks(provider);
}

/** It says what was said, with masks that are as long as the secrets. */
function readingMasks(provider: ModelProvider): ModelProvider {
  const { origin } = provider;
  return {
    ...provider,
    ...(origin && { origin: { ...origin, over: (bind) => readingMasks(origin.over(bind)) } }),
    async *streamTurn(turn, signal, hooks) {
      for await (const event of provider.streamTurn(turn, signal, hooks)) yield masksInJson.data(event);
    },
  };
}

/** Never called: what came over the wire is played back. */
const noFetch: typeof fetch = () => new Promise(() => {});
