// One provider as an agent runtime for use on its own: prompts, events and tools, but no session and no disk.

import { systemPrompt } from '../context/system-prompt.ts';
import type { Clock } from '../ports/clock.ts';
import type { ModelInfo, ModelProvider } from '../ports/model.ts';
import type { ProviderEntry } from '../providers/catalog.ts';
import { Router } from '../providers/router.ts';
import type { TurnResult } from './collect.ts';
import type { HarnessEvent } from './events.ts';
import { collectSingleTurn, streamSingleTurn } from './single-turn.ts';
import { type LoopOptions, runToolLoop, type ToolHandler } from './tool-loop.ts';
import { type HarnessTurn, toTurn } from './turn.ts';

export interface Harness {
  /** The provider's name, as in `provider/model`. */
  readonly name: string;
  /**
   * One reply, without retries. The stream never throws. After an abort, it ends without `done` or `error`.
   */
  streamTurn(turn: HarnessTurn, signal: AbortSignal): AsyncIterable<HarnessEvent>;
  /** The same turn, collected. */
  streamAndCollect(turn: HarnessTurn, signal: AbortSignal): Promise<TurnResult>;
  /**
   * Requests replies and runs their tools until the model asks for no more, by the rules of a session's own
   * loop.
   */
  runToolLoop(turn: HarnessTurn, handler: ToolHandler, options: LoopOptions): Promise<TurnResult>;
  /** Rejects with `ModelFailure`. */
  listModels(signal: AbortSignal): Promise<readonly ModelInfo[]>;
  /** The id of the model with this name; the name itself if this provider has no such model. */
  expandAlias(name: string): string;
  /** The name is that of a model of this provider. */
  matchesModel(name: string): boolean;
}

export interface HarnessOptions {
  readonly clock: Clock;
  /** Resolves aliases, including the user's own. */
  readonly router?: Router;
  /**
   * Makes the system prompt from the turn's instructions; Harness's own prompt for this provider if absent.
   */
  readonly systemPrompt?: (instructions: string) => string;
  /** In [0, 1), for the jitter of retries. */
  readonly random?: () => number;
}

/**
 * Creates a harness for the models of one provider. To log its turns, the caller wraps the provider in
 * `withLogger`.
 */
export function createHarness(
  provider: ModelProvider,
  entry: ProviderEntry,
  { clock, router = new Router(), random = () => 0.5, ...options }: HarnessOptions,
): Harness {
  const prompt = options.systemPrompt ?? ((instructions) => systemPrompt(entry.protocol, instructions));
  const modelOf = (name: string) => ownModel(name, entry, router);
  const begin = (turn: HarnessTurn) => {
    const request = toTurn(turn, modelOf(turn.model) ?? turn.model, prompt(turn.instructions ?? ''));
    return { provider, request, clock, random };
  };
  return {
    name: entry.name,
    streamTurn: (turn, signal) => streamSingleTurn(begin(turn), signal),
    streamAndCollect: (turn, signal) => collectSingleTurn(begin(turn), signal),
    runToolLoop: (turn, handler, loop) => runToolLoop(begin(turn), handler, loop),
    listModels: (signal) => provider.listModels(signal),
    expandAlias: (name) => modelOf(name) ?? name,
    matchesModel: (name) => modelOf(name) !== undefined,
  };
}

/** The id of a model of this provider; undefined for any other name. */
function ownModel(name: string, entry: ProviderEntry, router: Router): string | undefined {
  const full = router.expandAlias(name.trim());
  const prefix = `${entry.name}/`;
  if (full.startsWith(prefix) && full !== prefix) return full.slice(prefix.length);
  return entry.models.some((pattern) => pattern.test(full)) ? full : undefined;
}
