import * as vscode from 'vscode';
import type { Clock } from '../core/ports/clock.ts';
import type { OutputStream, Shell, ShellCommand, ShellResult } from '../core/ports/shell.ts';
import { TerminalFilter } from './terminal-filter.ts';
import { TerminalScreen } from './terminal-screen.ts';

const NAME = 'Harness';
const RESET = '\x1b[0m';

/**
 * Shows in a terminal what another shell runs: each command, its output as it comes, and how it ended. Nothing is read
 * back from there. Ctrl+C ends the newest command; closing the terminal ends none.
 */
export class HarnessTerminal implements Shell, vscode.Disposable {
  readonly description: string;
  readonly #shell: Shell;
  readonly #clock: Clock;
  readonly #running: AbortController[] = [];
  #shown: { readonly screen: TerminalScreen; readonly terminal: vscode.Terminal } | undefined;

  constructor(shell: Shell, clock: Clock) {
    this.#shell = shell;
    this.#clock = clock;
    this.description = shell.description;
  }

  async run(
    command: ShellCommand,
    onOutput: (stream: OutputStream, text: string) => void,
    signal: AbortSignal,
  ): Promise<ShellResult> {
    const stop = new AbortController();
    const shown = new ShownCommand(this.#screen(), command.command);
    const started = this.#clock.monotonic();
    this.#running.push(stop);
    try {
      const show = (stream: OutputStream, text: string) => {
        shown.output(stream, text);
        onOutput(stream, text);
      };
      const result = await this.#shell.run(command, show, AbortSignal.any([signal, stop.signal]));
      shown.end(`${endOf(result)} · ${seconds(this.#clock.monotonic() - started)}`);
      return result;
    } catch (error) {
      shown.end('could not be started');
      throw error;
    } finally {
      this.#running.splice(this.#running.indexOf(stop), 1);
    }
  }

  dispose(): void {
    this.#shown?.terminal.dispose();
  }

  /** The one that is there, or a new one, which comes to the front without the keyboard's focus. */
  #screen(): TerminalScreen {
    if (this.#shown) return this.#shown.screen;
    const screen = new TerminalScreen(
      () => this.#running.at(-1)?.abort(),
      () => {
        this.#shown = undefined;
      },
    );
    const terminal = vscode.window.createTerminal({ name: NAME, pty: screen, isTransient: true });
    terminal.show(true);
    this.#shown = { screen, terminal };
    return screen;
  }
}

/** One command on the screen that was there when it began. */
class ShownCommand {
  readonly #screen: TerminalScreen;
  readonly #filters = { stdout: new TerminalFilter(), stderr: new TerminalFilter() };
  #inLine = false;

  constructor(screen: TerminalScreen, command: string) {
    this.#screen = screen;
    screen.write(`${RESET}${dim(`$ ${visible(command)}`)}\r\n`);
  }

  output(stream: OutputStream, text: string): void {
    const shown = this.#filters[stream].push(text);
    if (shown === '') return;
    this.#inLine = !shown.endsWith('\n');
    this.#screen.write(shown);
  }

  end(how: string): void {
    this.#screen.write(`${RESET}${this.#inLine ? '\r\n' : ''}${dim(how)}\r\n\r\n`);
  }
}

function endOf({ end, exitCode }: ShellResult): string {
  if (end === 'timeout') return 'timed out and was ended';
  return end === 'cancelled' ? 'stopped' : `exit code ${exitCode}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

function dim(text: string): string {
  return `\x1b[2m${text}${RESET}`;
}

/** Characters that could hide or forge a part of the command are shown as escapes. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '\r\n> ' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
