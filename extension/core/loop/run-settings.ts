import type { Effort, ModelProvider } from '../ports/model.ts';
import type { Shell } from '../ports/shell.ts';
import type { Workspace } from '../ports/workspace.ts';
import { systemPrompt } from '../prompt/system-prompt.ts';
import type { Config } from './config.ts';

/** What a run is asked with; it can change from one prompt to the next. */
export interface RunSettings {
  readonly provider: ModelProvider;
  /** Without the provider's prefix. */
  readonly model: string;
  /** The same for as long as the session lives. */
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

export interface Surroundings {
  readonly workspace: Workspace;
  readonly shell: Shell;
  /** "linux", "darwin", "win32". */
  readonly platform: string;
}

export function toRunSettings(
  config: Config,
  provider: ModelProvider,
  surroundings: Surroundings,
): RunSettings {
  const { model, maxTokens, effort, maxTurns, maxToolCallsPerTurn, timeoutMs } = config;
  const system = systemPrompt({
    roots: surroundings.workspace.roots,
    platform: surroundings.platform,
    shell: surroundings.shell.description,
    instructions: config.systemPrompt,
  });
  return { provider, model, system, maxTokens, effort, maxTurns, maxToolCallsPerTurn, timeoutMs };
}
