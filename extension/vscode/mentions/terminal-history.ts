import * as vscode from 'vscode';
import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts';

interface Recorded {
  readonly command: string;
  output: string;
  exitCode: number | undefined;
}

/** Characters of a command's output. Of a longer output, only the end is stored. */
const MAX_OUTPUT = 16_000;
/** The most commands per terminal. */
const MAX_COMMANDS = 3;

/**
 * The output of the last commands in the user's terminals, if VS Code has shell integration there. Commands
 * that ran before Harness was loaded are missing, because VS Code reports commands only while they run. VS
 * Code 1.139 reports no output of a command that ends within a few milliseconds.
 */
export class TerminalHistory implements vscode.Disposable {
  readonly #commands = new Map<vscode.Terminal, readonly Recorded[]>();
  readonly #running = new WeakMap<vscode.TerminalShellExecution, Recorded>();
  readonly #withoutSecrets: (output: string) => string;
  readonly #disposables: readonly vscode.Disposable[];

  /**
   * `withoutSecrets` gets a command's output before its control codes are removed, because they separate one
   * secret from another.
   */
  constructor(withoutSecrets: (output: string) => string) {
    this.#withoutSecrets = withoutSecrets;
    this.#disposables = [
      vscode.window.onDidStartTerminalShellExecution((event) => void this.#record(event)),
      vscode.window.onDidEndTerminalShellExecution(({ execution, exitCode }) => {
        const recorded = this.#running.get(execution);
        if (recorded) recorded.exitCode = exitCode;
      }),
      vscode.window.onDidCloseTerminal((terminal) => this.#commands.delete(terminal)),
    ];
  }

  /** The last commands of the active terminal, oldest first; empty if none is known. */
  get text(): string {
    const { activeTerminal } = vscode.window;
    const commands =
      (activeTerminal && this.#commands.get(activeTerminal)) ?? [...this.#commands.values()].at(-1);
    return (commands ?? []).map((recorded) => this.#textOf(recorded)).join('\n');
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #record({ terminal, execution }: vscode.TerminalShellExecutionStartEvent): Promise<void> {
    const recorded: Recorded = { command: execution.commandLine.value, output: '', exitCode: undefined };
    this.#running.set(execution, recorded);
    const earlier = this.#commands.get(terminal) ?? [];
    // The terminal that was used last moves to the end of the map.
    this.#commands.delete(terminal);
    this.#commands.set(terminal, [...earlier, recorded].slice(-MAX_COMMANDS));
    for await (const data of execution.read()) recorded.output = (recorded.output + data).slice(-MAX_OUTPUT);
  }

  #textOf({ command, output, exitCode }: Recorded): string {
    const end = exitCode === undefined ? '' : `\n(exit ${exitCode})`;
    const shown = stripTerminalCodes(this.#withoutSecrets(output)).trimEnd() || '(no output is known)';
    return `$ ${stripTerminalCodes(command)}\n${shown}${end}`;
  }
}
