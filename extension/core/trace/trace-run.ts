import type { RunSettings } from '../loop/run-settings.ts';
import { type LoggerOptions, withLogger } from './trace-provider.ts';

/** The same run, whose turns are written down, also those of the model that it goes on with. */
export function loggedRun(settings: RunSettings, options: LoggerOptions): RunSettings {
  const { provider, fallback } = settings;
  return {
    ...settings,
    provider: withLogger(provider, options),
    ...(fallback && { fallback: async () => loggedRun(await fallback(), options) }),
  };
}
