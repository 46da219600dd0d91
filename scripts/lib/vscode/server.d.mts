/** A VS Code that listens on a free port of 127.0.0.1. It ends no later than the process that started it. */
export interface RunningVsCode {
  /** The id of its first process. */
  readonly pid: number;
  /** Opens the workspace. */
  readonly url: string;
  /** The opened folder. */
  readonly workspace: string;
  /** The home folder of VS Code, the extension and its terminals. */
  readonly home: string;
  /** The folder for sessions, policies and so on: `$HARNESS_HOME`. */
  readonly harnessHome: string;
  /** The logs of the server, and of VS Code itself if its data is temporary. They are never removed. */
  readonly logFolder: string;
  /** The ends of the logs that matter after a failure. */
  quoteLogs(): Promise<string>;
  /** Resolves when VS Code has ended, for any reason. */
  readonly ended: Promise<void>;
  /** Ends VS Code with all its processes and removes its temporary folder. */
  stop(): Promise<void>;
}

interface Options {
  /** Names the log folder: out/logs/NAME-xxxxxx. */
  readonly name: string;
  /** The folder to open. Without it: a fresh copy of the sample project, in the temporary folder. */
  readonly workspace?: string | undefined;
  /** Contents by path, put into that copy. */
  readonly files?: Readonly<Record<string, string>> | undefined;
  /** true: trusted without asking. false: Restricted Mode, with its banner but without a dialog. */
  readonly trust?: boolean | undefined;
  /** User settings, added to those that keep the workbench quiet. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** VS Code's own server. With `testUrl` it runs a suite inside the extension host. */
export function startTestServer(options: Options): Promise<RunningVsCode>;

/** The address that loads an unpacked extension and calls `run()` of a module in its extension host. */
export function testUrl(vscode: RunningVsCode, extension: string, testModule: string): string;

/** The workbench with the packaged extension installed, as a user has it. */
export function startWorkbench(
  options: Options & {
    /** By default dist/harness.vsix. */
    readonly vsix?: string;
    /** Further packages to install beside it. */
    readonly companions?: readonly string[];
    /** The display language; English by default. VS Code's own texts stay English. */
    readonly language?: string;
    /**
     * Stores settings, extensions and state here between runs, and shares the developer's home and
     * environment. Without it everything is temporary and isolated from the developer's files.
     */
    readonly dataFolder?: string;
    /** The preferred port, used if it is free. */
    readonly port?: number;
  },
): Promise<RunningVsCode>;
