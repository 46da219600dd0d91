// As much of VS Code's API as a panel's host uses, where the host runs in the process of a test. What VS Code does with
// the panel itself is in bridged-view.ts.
import { type Disposed, EventEmitter } from '../vscode-api.ts';

export { EventEmitter, l10n } from '../vscode-api.ts';

export const Disposable = {
  from: (...disposables: readonly Disposed[]): Disposed => ({
    dispose: () => {
      for (const disposable of disposables) disposable.dispose();
    },
  }),
};

export class ThemeIcon {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export const TextEditorSelectionChangeKind = { Keyboard: 1, Mouse: 2, Command: 3 };

/** The user goes to another editor. */
export const anotherEditor = new EventEmitter<undefined>();

const never = (): Disposed => ({ dispose() {} });

export const window = {
  onDidChangeWindowState: never,
  onDidChangeActiveTextEditor: anotherEditor.event,
  onDidChangeActiveTerminal: never,
  onDidChangeTextEditorSelection: never,
  /** Nothing that a panel does here may fail. */
  showErrorMessage(problem: string): never {
    throw new Error(`The user was told: ${problem}`);
  },
};

export const env = { language: 'en' };

export const workspace = {
  asRelativePath: (path: string) => path,
  workspaceFolders: undefined,
  isTrusted: true,
  getConfiguration: () => ({ get: () => undefined, inspect: () => undefined }),
};

const registered = new Map<string, () => unknown>([['setContext', () => undefined]]);

export const commands = {
  registerCommand(name: string, run: () => unknown): Disposed {
    registered.set(name, run);
    return { dispose: () => void registered.delete(name) };
  },
  executeCommand: async (name: string): Promise<unknown> => {
    const run = registered.get(name);
    if (!run) throw new Error(`There is no command ${name}.`);
    return run();
  },
};
