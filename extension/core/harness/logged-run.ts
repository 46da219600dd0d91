import type { RunSettings } from '../loop/run-settings.ts';
import { type LoggerOptions, withLogger } from './logger.ts';

/** The same run, whose turns are written down. */
export function loggedRun(settings: RunSettings, options: LoggerOptions): RunSettings {
  return { ...settings, provider: withLogger(settings.provider, options) };
}
