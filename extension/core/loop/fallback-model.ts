// Continues a run with a model other than the one it began with.
import type { EventDraft } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { SetupError } from '../base/setup-error.ts';
import type { ModelError, ModelErrorKind } from '../ports/model.ts';
import type { Run } from './run.ts';
import type { RunSettings } from './run-settings.ts';

/** Errors where a retry cannot help, but another model may answer. */
const OF_THE_MODEL = new Set<ModelErrorKind>(['auth', 'billing', 'permission', 'not_found']);

/**
 * Switches to the model that the user chose while the run was waiting. Resolves with whether the model
 * changed.
 */
export async function switchToChosenModel(run: Run): Promise<boolean> {
  const chosen = await run.settings();
  if (isSame(chosen, run.chosen)) return false;
  run.use({ fallback: undefined, ...chosen, chosen });
  await endPause(run);
  return true;
}

/** Switches to the fallback, once in a run, and logs that. Resolves with false if no fallback can help. */
export async function switchToFallbackModel(run: Run, error: ModelError): Promise<boolean> {
  const { fallback } = run;
  if (!fallback || !(error.retryable || OF_THE_MODEL.has(error.kind))) return false;
  run.use({ fallback: undefined });
  try {
    const next = await fallback();
    if (isSame(next, run)) return false;
    run.use({ ...next, fallback: undefined });
    await run.writer.append({ type: 'notice', message: wentOn(error, run) });
    await endPause(run);
    return true;
  } catch (problem) {
    if (!(problem instanceof SetupError)) throw problem;
    await run.writer.append({
      type: 'notice',
      message: say('The fallback model cannot be used. {0.}', problem.message),
    });
    return false;
  }
}

/** Only the model that began a paused reply can continue it. Asks the new model to go on instead. */
async function endPause({ transcript, writer }: Run): Promise<void> {
  if (transcript.messages().at(-1)?.role === 'assistant') await writer.append(CONTINUE_NOTICE);
}

function wentOn(error: ModelError, { provider, model }: Run): string {
  return say('{0.} The run continues with {1}.', error.message, `${provider.name}/${model}`);
}

/** Compares by name, because each read of the settings may create a new provider object. */
function isSame(one: Model, other: Model): boolean {
  return one.provider.name === other.provider.name && one.model === other.model;
}

type Model = Pick<RunSettings, 'provider' | 'model'>;

/**
 * For a conversation that ends with the model's own message. APIs require that the user has the last word.
 */
export const CONTINUE_NOTICE: EventDraft = {
  type: 'notice',
  message: say('Continued.'),
  toModel: 'Go on where you stopped.',
};
