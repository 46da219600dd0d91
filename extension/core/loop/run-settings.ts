import { systemPrompt } from '../context/system-prompt.ts';
import type { Effort, ModelProvider } from '../ports/model.ts';
import type { Config } from './config.ts';

/** The settings of a run's requests. They can change from one prompt to the next. */
export interface RunSettings {
  readonly provider: ModelProvider;
  /** Without the provider's prefix. */
  readonly model: string;
  /** Constant for the life of the session as long as its provider is the same. */
  readonly system: string;
  readonly maxTokens: number;
  readonly effort?: Effort | undefined;
  readonly maxTurns: number;
  readonly maxToolCallsPerTurn: number;
  /** By default, `grouped`. */
  readonly toolOrder?: Config['toolOrder'] | undefined;
  /** For one command, in milliseconds. */
  readonly timeoutMs: number;
  /** The settings with which the run continues if this model cannot answer. Rejects with `SetupError`. */
  readonly fallback?: (() => Promise<RunSettings>) | undefined;
}

export function toRunSettings(config: Config, provider: ModelProvider): RunSettings {
  const { model, maxTokens, effort, maxTurns, maxToolCallsPerTurn, toolOrder, timeoutMs } = config;
  const system = systemPrompt(config.provider.protocol, config.systemPrompt);
  return { provider, model, system, maxTokens, effort, maxTurns, maxToolCallsPerTurn, toolOrder, timeoutMs };
}
