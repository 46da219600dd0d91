import type * as vscode from 'vscode';
import type { RunSettings } from '../../core/loop/run-settings.ts';
import type { TraceRecord, TraceSink, TurnSink } from '../../core/ports/trace-sink.ts';
import { prettyRecord } from '../../core/trace/format-record.ts';
import { loggedRun } from '../../core/trace/trace-run.ts';
import { systemClock } from '../../node/system-clock.ts';
import { TraceFiles } from '../../node/trace-files.ts';
import { readSetting } from '../base/settings.ts';
import type { ApiKeys } from './api-keys.ts';

/** Writes down what the models are asked and answer, where the user wants it: for programs into files, for people into the output. */
export class Trace implements TraceSink {
  readonly #files: TraceFiles;
  readonly #output: vscode.LogOutputChannel;
  readonly #keys: ApiKeys;

  constructor(folder: string, output: vscode.LogOutputChannel, keys: ApiKeys) {
    this.#files = new TraceFiles({ folder, logger: output });
    this.#output = output;
    this.#keys = keys;
  }

  /** The same run, written down as the setting is at each of its turns. */
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
