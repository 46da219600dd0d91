import { say } from '../../protocol/say.ts';
import type { ModelError } from '../ports/model.ts';
import { nearest } from '../providers/nearest.ts';
import type { Run } from './run.ts';

type Asking = Pick<Run, 'provider' | 'model' | 'clock' | 'signal'>;

/** An error is told so much later at most, in milliseconds. */
const PATIENCE_MS = 5_000;

/** Of a model that its provider does not know, with the names that may have been meant; any other error as it is. */
export async function withNearestModels(error: ModelError, run: Asking): Promise<ModelError> {
  if (error.kind !== 'not_found') return error;
  const others = (await listedIds(run)).filter((id) => id !== run.model);
  const names = nearest(run.model, others).map((id) => `${run.provider.name}/${id}`);
  if (names.length === 0) return error;
  return { ...error, message: say('{0.} Did you mean {1}?', error.message, names.join(', ')) };
}

/** None where the provider does not tell them in time. */
async function listedIds({ provider, clock, signal }: Asking): Promise<readonly string[]> {
  const over = new AbortController();
  const asked = AbortSignal.any([signal, over.signal]);
  const none: readonly string[] = [];
  const ids = await Promise.race([
    provider.listModels(asked).then(
      (models) => models.map(({ id }) => id),
      () => none,
    ),
    clock.sleep(PATIENCE_MS, asked).then(() => none),
  ]);
  over.abort();
  return ids;
}
