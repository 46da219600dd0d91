import * as vscode from 'vscode';
import { stripTerminalCodes } from '../../core/base/text/terminal-codes.ts';

interface Recorded {
  readonly command: string;
  output: string;
  exitCode: number | undefined;
}

/** Characters of a command's output; of a longer one the end is kept. */
const MAX_OUTPUT = 16_000;
/** Commands of each terminal. */
const MAX_COMMANDS = 3;

/**
 * What the last commands of the user's terminals printed, where the shell tells VS Code of them. What ran before it was
 * made cannot be had: VS Code tells of commands as they run, and nothing of us is loaded before it is used. Of a command that ends
 * within some milliseconds VS Code 1.139 hands on no output.
 */
export class TerminalHistory implements vscode.Disposable {
  readonly #commands = new Map<vscode.Terminal, readonly Recorded[]>();
  readonly #running = new WeakMap<vscode.TerminalShellExecution, Recorded>();
  readonly #withoutSecrets: (output: string) => string;
  readonly #disposables: readonly vscode.Disposable[];

  /** `withoutSecrets` gets what a command printed while it has the codes that part one secret from another. */
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

  /** The last commands of the terminal in front, oldest first; empty where none is known. */
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
    // Behind all others: the terminal that was used last.
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
