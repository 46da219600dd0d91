import { systemPrompt } from '../context/system-prompt.ts';
import type { Effort, ModelProvider } from '../ports/model.ts';
import type { Config } from './config.ts';

/** What a run is asked with; it can change from one prompt to the next. */
export interface RunSettings {
  readonly provider: ModelProvider;
  /** Without the provider's prefix. */
  readonly model: string;
  /** The same for as long as the session lives and its provider is the same. */
  readonly system: string;
  readonly maxTokens: number;
  readonly effort?: Effort | undefined;
  readonly maxTurns: number;
  readonly maxToolCallsPerTurn: number;
  /** Of one command, in milliseconds. */
  readonly timeoutMs: number;
  /** What the run goes on with when this model cannot answer. Rejects with `SetupError`. */
  readonly fallback?: (() => Promise<RunSettings>) | undefined;
}

export function toRunSettings(config: Config, provider: ModelProvider): RunSettings {
  const { model, maxTokens, effort, maxTurns, maxToolCallsPerTurn, timeoutMs } = config;
  const system = systemPrompt(config.provider.protocol, config.systemPrompt);
  return { provider, model, system, maxTokens, effort, maxTurns, maxToolCallsPerTurn, timeoutMs };
}
