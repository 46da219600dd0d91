import type { ModelProvider } from '../../ports/model.ts';
import type { ProviderEntry } from '../../providers/catalog.ts';
import type { createProvider } from '../../providers/create-provider.ts';
import { masksInJson } from '../masks.ts';
import { nothing } from '../port-interceptor.ts';
import type { PlainProvider } from '../ports/settings.ts';
import { STILL_CLOCK } from './stage.ts';

/** Stands for the key, which is not in the recording. */
const KEY = 'key-of-the-recording';

/**
 * Recreates the recorded provider. If it had a wire, this is the real provider, which parses the recorded
 * answers of its server. Otherwise it is a stub that is never called.
 */
export async function recreateProvider(
  { name, tools, origin }: PlainProvider,
  product: { readonly createProvider: typeof createProvider },
): Promise<ModelProvider> {
  if (!origin)
    return { name, ...(tools && { tools }), streamTurn: () => nothing(), listModels: async () => [] };
  const { entry, baseUrl, hasKey } = origin;
  const provider = await product.createProvider(
    // The recording has no patterns of models. A replay does not need them.
    { ...(entry as Omit<ProviderEntry, 'models'>), models: [] },
    { apiKey: hasKey ? KEY : '', baseUrl, clock: STILL_CLOCK, fetch: noFetch },
  );
  return readingMasks(provider);
}

/** Yields the recorded events, with masks as long as the secrets outside of JSON. */
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

/** Never called: the replay returns what was recorded of the wire. */
const noFetch: typeof fetch = () => new Promise(() => {});
