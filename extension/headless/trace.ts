import type { RunSettings } from '../core/loop/run-settings.ts';
import type { SessionPorts } from '../core/session/session-ports.ts';
import { TRACE_LEVELS, type TraceLevel } from '../core/trace/trace-provider.ts';
import { loggedRun } from '../core/trace/trace-run.ts';
import { secretsOf } from '../node/processes/process-environment.ts';
import { TraceFiles } from '../node/trace-files.ts';
import { UsageError } from './arguments.ts';

/** Returns the trace level of `HARNESS_TRACE`. Throws `UsageError`. */
export function traceLevel({ HARNESS_TRACE: wanted = '' }: NodeJS.ProcessEnv): TraceLevel {
  const level = TRACE_LEVELS.find((known) => known === (wanted.trim() || 'off'));
  if (level) return level;
  throw new UsageError(`HARNESS_TRACE must be one of ${TRACE_LEVELS.join(', ')}; it is “${wanted}”`);
}

/** Returns the same settings, with each turn traced to a file in `folder`. */
export function traced(
  settings: RunSettings,
  level: TraceLevel,
  folder: string,
  { clock, logger }: Pick<SessionPorts, 'clock' | 'logger'>,
): RunSettings {
  if (level === 'off') return settings;
  const secrets = secretsOf(process.env);
  const sink = new TraceFiles({ folder, logger });
  return loggedRun(settings, { sink, clock, level: () => level, secrets: () => secrets });
}
