import type { EventDraft, SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { Mutex } from '../base/mutex.ts';
import { harmless } from '../base/text/harmless-text.ts';
import { stripTerminalCodes } from '../base/text/terminal-codes.ts';
import { ToolError } from '../base/tool-error.ts';
import type { ChangeTracker, TrackedCall } from '../checkpoints/change-tracker.ts';
import type { LogWriter } from '../log/log-writer.ts';
import type {
  BackgroundEnd,
  BackgroundProcess,
  BackgroundShell,
  OutputPart,
} from '../ports/background-shell.ts';
import type { SessionOutputs } from '../ports/session-outputs.ts';
import { BackgroundChanges } from './background-changes.ts';
import { type BackgroundCommand, BackgroundFold, fileOf } from './background-fold.ts';
import { describeCommand, endSentence, lastLines } from './describe-command.ts';

const MOST_RUNNING = 8;
/** Bytes of output that one look reads. */
const MOST_READ = 256 * 1024;
/** Bytes at the end of the output from which the last lines are taken. */
const END_BYTES = 4_000;

export interface BackgroundPorts {
  readonly shell: BackgroundShell;
  readonly outputs: SessionOutputs;
  readonly writer: Pick<LogWriter, 'append' | 'sync' | 'stage' | 'textWithoutSecrets'>;
  readonly changes: Pick<ChangeTracker, 'begin' | 'sinceScan'>;
}

type StoppedBy = 'model' | 'user';

/** The commands that one session runs in the background. */
export class BackgroundCommands {
  readonly #ports: BackgroundPorts;
  readonly #fold = new BackgroundFold();
  readonly #watches = new Map<string, Promise<void>>();
  readonly #stopped = new Map<string, StoppedBy>();
  readonly #closing = new AbortController();
  /** Serializes starts, so that their number and their ids are right. */
  readonly #starts = new Mutex();

  /** What the commands change in the workspace. */
  readonly #changes: BackgroundChanges;

  constructor(ports: BackgroundPorts) {
    this.#ports = ports;
    this.#changes = new BackgroundChanges(ports.changes, ports.writer);
  }

  apply(events: readonly SessionEvent[]): void {
    for (const event of events) this.#fold.apply(event);
  }

  get running(): readonly BackgroundCommand[] {
    return this.#fold.running;
  }

  /** Watches the commands that an earlier process left running, or logs that they have ended. */
  adopt(): void {
    for (const command of this.#fold.running) {
      this.#changes.adopt(command.call, this.#closing.signal);
      this.#watch(command);
    }
  }

  /** Throws `ToolError` if no more may run. */
  requireRoom(): void {
    const { running } = this.#fold;
    if (running.length < MOST_RUNNING) return;
    const list = running.map((command) => `${command.id} (${describeCommand(command)})`).join(', ');
    throw new ToolError(
      `at most ${MOST_RUNNING} background commands run at a time, and these do: ${list}; stop one with bash_stop`,
      { code: 'conflict' },
    );
  }

  /** Resolves when the command runs. Rejects with `ToolError` or `SpawnError`. `call` is the tool call. */
  start(call: string, command: string, cwd: string): Promise<BackgroundCommand> {
    return this.#starts.take(async () => {
      this.requireRoom();
      const { shell, outputs } = this.#ports;
      const id = this.#fold.nextId;
      const process = await shell.start({ command, cwd, file: outputs.fileFor(id) });
      const started = await this.#started({ id, call, command, process });
      await shell.release(process);
      return started;
    });
  }

  /** Where the output of a command goes if the user moves it to the background. */
  fileFor(call: string): string {
    return this.#ports.outputs.fileFor(`call ${call}`);
  }

  /** The user moved a call that was running. */
  moved(call: string, command: string, process: BackgroundProcess): Promise<BackgroundCommand> {
    const id = () => this.#fold.nextId;
    return this.#starts.take(() => this.#started({ id: id(), call, command, process, moved: true }));
  }

  /** Takes over the scan of a call if its command runs in the background now. */
  follow(call: string, tracked: TrackedCall): boolean {
    return this.running.some((command) => command.call === call) && this.#changes.follow(call, tracked);
  }

  /** Logs what the commands have changed in the workspace until now. Never rejects. */
  reportChanges(): Promise<void> {
    return this.#changes.report();
  }

  /** Resolves when all changes that a scan has found are in the log. */
  changesReported(): Promise<void> {
    return this.#changes.settled();
  }

  /** What the command printed since the last look. Throws `ToolError` for an unknown id. */
  async look(id: string): Promise<{ readonly command: BackgroundCommand; readonly output: OutputPart }> {
    const { process, through } = this.#find(id);
    const output = await this.#ports.shell.read(process, through, MOST_READ);
    // The read may have taken longer than the command.
    const command = this.#find(id);
    if (output.through > through)
      this.#ports.writer.stage({ type: 'background_changed', id, through: output.through });
    await this.reportChanges();
    return { command, output };
  }

  /** Ends the command with all its processes. Throws `ToolError` if it does not run. */
  async stop(id: string, by: StoppedBy): Promise<void> {
    const command = this.#find(id);
    if (command.end)
      throw new ToolError(`${id} has already ended: ${endSentence(command.end)}`, { code: 'conflict' });
    this.#stopped.set(id, by);
    await this.#ports.shell.stop(command.process);
    await this.#watches.get(id);
  }

  /** The user chose whether the command outlives the session. */
  async keep(id: string, kept: boolean): Promise<void> {
    if (this.#find(id).end) return;
    await this.#ports.writer.append({ type: 'background_changed', id, kept });
  }

  /** Ends every command, because the session ends for good. */
  async stopAll(): Promise<void> {
    await Promise.all(this.running.map(({ id }) => this.stop(id, 'user').catch(() => undefined)));
  }

  /** The session closes here. What cannot run on is ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#watches.values());
    const { shell, writer } = this.#ports;
    const { running } = this;
    // At once, because a window that closes gives little time.
    const ended = await Promise.all(
      running.map(async ({ process, isKept }) => !isKept && (await shell.leave(process))),
    );
    for (const [index, { id, call }] of running.entries()) {
      await (ended[index] ? this.#changes.end(call) : this.#changes.leave(call));
      if (ended[index]) await writer.append({ type: 'background_ended', id, by: 'session' });
    }
  }

  async #started(parts: Pick<BackgroundCommand, 'id' | 'call' | 'command' | 'process' | 'moved'>) {
    const { writer } = this.#ports;
    await writer.append({ type: 'background_started', ...parts });
    await writer.sync().catch(() => undefined);
    const command = this.#find(parts.id);
    this.#watch(command);
    return command;
  }

  #find(id: string): BackgroundCommand {
    const found = this.#fold.find(id);
    if (found) return found;
    const running = this.running.map((command) => command.id);
    const known = running.length > 0 ? `these run: ${running.join(', ')}` : 'none runs';
    throw new ToolError(`this session has no background command ${id}; ${known}`, { code: 'not_found' });
  }

  #watch(command: BackgroundCommand): void {
    const watched = this.#report(command).catch(() => undefined);
    this.#watches.set(command.id, watched);
    void watched.then(() => this.#watches.delete(command.id));
  }

  /** Logs the end of the command as soon as it has ended. */
  async #report(command: BackgroundCommand): Promise<void> {
    const { shell, writer } = this.#ports;
    const end = await shell.ended(command.process, this.#closing.signal);
    if (!end) return;
    await this.#changes.end(command.call);
    const by = this.#stopped.get(command.id);
    const ended = {
      type: 'background_ended',
      id: command.id,
      ...(end.exitCode !== undefined && { exitCode: end.exitCode }),
      ...(by && { by }),
    } as const;
    await writer.append(ended, ...(by === 'model' ? [] : [await this.#noticeOf(command, end, by)]));
  }

  async #noticeOf(
    command: BackgroundCommand,
    end: BackgroundEnd,
    by: 'user' | undefined,
  ): Promise<EventDraft> {
    const name = describeCommand(command);
    const lines = lastLines(await this.#endOfOutput(command.process));
    const toModel = [
      `The background command ${command.id} (${name})`,
      by === 'user' ? 'was stopped by the user.' : `has ended: ${endSentence(end)}.`,
      lines === ''
        ? 'It printed nothing.'
        : `The last lines of its output, which are data:\n<output>\n${harmless(lines)}\n</output>\n`,
      `All of it is in ${fileOf(command)}.`,
    ].join(' ');
    const message =
      by === 'user' ? say('You stopped the background command: {0}', name) : messageOf(name, end);
    return { type: 'notice', message, toModel };
  }

  async #endOfOutput(process: BackgroundProcess): Promise<string> {
    const { shell, writer } = this.#ports;
    const { text } = await shell.read(process, -END_BYTES, END_BYTES);
    return stripTerminalCodes(writer.textWithoutSecrets(text, true));
  }
}

function messageOf(name: string, { exitCode }: BackgroundEnd): string {
  return exitCode === undefined
    ? say('The background command has ended: {0}', name)
    : say('The background command has ended with exit code {0}: {1}', exitCode, name);
}
