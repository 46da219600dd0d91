import type * as vscode from 'vscode';
import type { RunSettings } from '../../core/loop/run-settings.ts';
import type { TraceRecord, TraceSink, TurnSink } from '../../core/ports/trace-sink.ts';
import { prettyRecord } from '../../core/trace/format-record.ts';
import { loggedRun } from '../../core/trace/trace-run.ts';
import { systemClock } from '../../node/system-clock.ts';
import { TraceFiles } from '../../node/trace-files.ts';
import { readSetting } from '../base/settings.ts';
import type { ApiKeys } from './api-keys.ts';

/**
 * Logs the models' requests and replies if the user enables it: to files for programs, to the output channel
 * for people.
 */
export class Trace implements TraceSink {
  readonly #files: TraceFiles;
  readonly #output: vscode.LogOutputChannel;
  readonly #keys: ApiKeys;

  constructor(folder: string, output: vscode.LogOutputChannel, keys: ApiKeys) {
    this.#files = new TraceFiles({ folder, logger: output });
    this.#output = output;
    this.#keys = keys;
  }

  /** The same run with logging. Reads the setting at each turn. */
  async watch(settings: RunSettings): Promise<RunSettings> {
    const secrets = await this.#keys.secrets();
    return loggedRun(settings, {
      sink: this,
      clock: systemClock,
      level: () => readSetting('trace'),
      secrets: () => secrets,
    });
  }

  open(): TurnSink {
    const file = this.#files.open();
    return {
      write: (record) => {
        file.write(record);
        this.#show(record);
      },
      close: () => file.close(),
    };
  }

  #show(record: TraceRecord): void {
    const line = prettyRecord(record);
    if (line !== '') this.#output.info(line);
  }
}
