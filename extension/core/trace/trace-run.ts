import type { RunSettings } from '../loop/run-settings.ts';
import { type LoggerOptions, withLogger } from './trace-provider.ts';

/** Returns the same run settings with a log of the turns. The fallback model's turns are logged too. */
export function loggedRun(settings: RunSettings, options: LoggerOptions): RunSettings {
  const { provider, fallback } = settings;
  return {
    ...settings,
    provider: withLogger(provider, options),
    ...(fallback && { fallback: async () => loggedRun(await fallback(), options) }),
  };
}
