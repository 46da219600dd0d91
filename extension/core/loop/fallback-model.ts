// A run may go on with another model than the one that it began with.
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { SetupError } from '../base/setup-error.ts';
import type { ModelError, ModelErrorKind } from '../ports/model.ts';
import type { Run } from './run.ts';
import type { RunSettings } from './run-settings.ts';

/** No attempt helps, but another model may well answer. */
const OF_THE_MODEL = new Set<ModelErrorKind>(['auth', 'billing', 'permission', 'not_found']);

/** Takes the model that the user has chosen while the run was waiting. Resolves with whether it is another one. */
export async function switchToChosenModel(run: Run): Promise<boolean> {
  const chosen = await run.settings();
  if (isSame(chosen, run.chosen)) return false;
  run.use({ fallback: undefined, ...chosen, chosen });
  await endPause(run);
  return true;
}

/** Takes the fallback, once in a run, and says so in the log. Resolves with false where none can help. */
export async function switchToFallbackModel(run: Run, error: ModelError): Promise<boolean> {
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
  if (transcript.messages().at(-1)?.role === 'assistant') await recorder.append(CONTINUE_NOTICE);
}

function wentOn(error: ModelError, { provider, model }: Run): string {
  return say('{0.} The run goes on with {1}.', error.message, `${provider.name}/${model}`);
}

/** By name: what speaks with a provider may be made anew each time that the settings are read. */
function isSame(one: Model, other: Model): boolean {
  return one.provider.name === other.provider.name && one.model === other.model;
}

type Model = Pick<RunSettings, 'provider' | 'model'>;

/** Where a conversation ends with the model's own words: APIs want the user to have the last one. */
export const CONTINUE_NOTICE: EventDraft = {
  type: 'notice',
  message: say('Continued.'),
  toModel: 'Go on where you stopped.',
};
