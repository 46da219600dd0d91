// A run may go on with another model than the one that it began with.
import { say } from '../../protocol/say.ts';
import type { ModelError, ModelErrorKind } from '../ports/model.ts';
import { GO_ON } from './go-on.ts';
import type { Run } from './run.ts';
import type { RunSettings } from './run-settings.ts';
import { SetupError } from './setup-error.ts';

/** No attempt helps, but another model may well answer. */
const OF_THE_MODEL = new Set<ModelErrorKind>(['auth', 'billing', 'permission', 'not_found']);

/** Takes the model that the user has chosen while the run was waiting. Resolves with whether it is another one. */
export async function renewModel(run: Run): Promise<boolean> {
  const chosen = await run.settings();
  if (isSame(chosen, run.chosen)) return false;
  run.use({ fallback: undefined, ...chosen, chosen });
  await endPause(run);
  return true;
}

/** Takes the fallback, once in a run, and says so in the log. Resolves with false where none can help. */
export async function fallBack(run: Run, error: ModelError): Promise<boolean> {
  const { fallback } = run;
  if (!fallback || !(error.retryable || OF_THE_MODEL.has(error.kind))) return false;
  run.use({ fallback: undefined });
  try {
    const next = await fallback();
    if (isSame(next, run)) return false;
    run.use({ ...next, fallback: undefined });
    await run.recorder.append({ type: 'notice', message: wentOn(error, run) });
    await endPause(run);
    return true;
  } catch (problem) {
    if (!(problem instanceof SetupError)) throw problem;
    await run.recorder.append({
      type: 'notice',
      message: say('The fallback model cannot be used. {0.}', problem.message),
    });
    return false;
  }
}

/** A reply that was to go on can do so with the model alone that has begun it. */
async function endPause({ transcript, recorder }: Run): Promise<void> {
  if (transcript.messages().at(-1)?.role === 'assistant') await recorder.append(GO_ON);
}

function wentOn(error: ModelError, { provider, model }: Run): string {
  return say('{0.} The run goes on with {1}.', error.message, `${provider.name}/${model}`);
}

/** By name: what speaks with a provider may be made anew each time that the settings are read. */
function isSame(one: Model, other: Model): boolean {
  return one.provider.name === other.provider.name && one.model === other.model;
}

type Model = Pick<RunSettings, 'provider' | 'model'>;
