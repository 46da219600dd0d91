import * as vscode from 'vscode';
import type { Clock } from '../../core/ports/clock.ts';
import type { OutputStream, Shell, ShellCommand, ShellResult } from '../../core/ports/shell.ts';
import { TerminalFilter } from './terminal-filter.ts';
import { TerminalScreen } from './terminal-screen.ts';

const NAME = 'Harness';
const RESET = '\x1b[0m';

/** A terminal, and the controller that stops its running command. */
interface ShownTerminal {
  readonly screen: TerminalScreen;
  readonly terminal: vscode.Terminal;
  stop: AbortController | undefined;
}

/**
 * Shows in a terminal what another shell runs: each command, its output as it arrives, and how it ended. Each
 * of several concurrent commands has its own terminal. Harness reads nothing back from a terminal. Ctrl+C
 * stops the command; closing the terminal does not.
 */
export class HarnessTerminal implements Shell, vscode.Disposable {
  readonly description: string;
  readonly #shell: Shell;
  readonly #clock: Clock;
  readonly #terminals = new Set<ShownTerminal>();

  constructor(shell: Shell, clock: Clock) {
    this.#shell = shell;
    this.#clock = clock;
    this.description = shell.description;
  }

  async run(
    command: ShellCommand,
    onOutput: (stream: OutputStream, text: string) => void,
    signal: AbortSignal,
    move?: AbortSignal,
  ): Promise<ShellResult> {
    const stop = new AbortController();
    const place = this.#free();
    place.stop = stop;
    const shown = new ShownCommand(place.screen, command.command);
    const started = this.#clock.monotonic();
    try {
      const show = (stream: OutputStream, text: string) => {
        shown.output(stream, text);
        onOutput(stream, text);
      };
      const result = await this.#shell.run(command, show, AbortSignal.any([signal, stop.signal]), move);
      shown.end(`${endOf(result)} · ${seconds(this.#clock.monotonic() - started)}`);
      return result;
    } catch (error) {
      shown.end(vscode.l10n.t('could not start'));
      throw error;
    } finally {
      place.stop = undefined;
    }
  }

  dispose(): void {
    for (const { terminal } of this.#terminals) terminal.dispose();
  }

  /** An idle terminal, or a new one, which comes to the front without keyboard focus. */
  #free(): ShownTerminal {
    for (const place of this.#terminals) if (!place.stop) return place;
    const screen = new TerminalScreen(
      () => place.stop?.abort(),
      () => this.#terminals.delete(place),
    );
    const terminal = vscode.window.createTerminal({ name: NAME, pty: screen, isTransient: true });
    const place: ShownTerminal = { screen, terminal, stop: undefined };
    this.#terminals.add(place);
    terminal.show(true);
    return place;
  }
}

/** One command on the screen that its terminal had when it began. */
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
  if (end === 'moved') return vscode.l10n.t('runs on in the background');
  if (end === 'timeout') return vscode.l10n.t('timed out and was stopped');
  return end === 'cancelled' ? vscode.l10n.t('stopped') : vscode.l10n.t('exit code {0}', exitCode);
}

function seconds(milliseconds: number): string {
  return vscode.l10n.t('{0} s', (milliseconds / 1000).toFixed(1));
}

function dim(text: string): string {
  return `\x1b[2m${text}${RESET}`;
}

/** Escapes characters that could hide or forge a part of the command. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    character === '\n' ? '\r\n> ' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}
