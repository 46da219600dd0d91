/** A VS Code that listens on a free port of 127.0.0.1. It ends, at the latest, with the process that started it. */
export interface RunningVsCode {
  /** Of the first of its processes. */
  readonly pid: number;
  /** Opens the workspace. */
  readonly url: string;
  /** The opened folder. */
  readonly workspace: string;
  /** The home folder that VS Code, our extension and its terminals see. */
  readonly home: string;
  /** Where the extension keeps sessions, policies and so on: `$HARNESS_HOME`. */
  readonly harnessHome: string;
  /** The logs of the server, and of VS Code itself where its data is temporary. They stay. */
  readonly logFolder: string;
  /** The ends of the logs that matter when something failed. */
  quoteLogs(): Promise<string>;
  /** Resolves when VS Code has ended, for whatever reason. */
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
  /** User settings, on top of ours that keep the workbench quiet. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** VS Code's own server. With `testUrl` it runs a suite inside the extension host. */
export function startTestServer(options: Options): Promise<RunningVsCode>;

/** The address that loads an unpacked extension and calls `run()` of a module in its extension host. */
export function testUrl(vscode: RunningVsCode, extension: string, testModule: string): string;

/** The workbench with the packaged extension installed: what a user has. */
export function startWorkbench(
  options: Options & {
    /** dist/harness.vsix, where nothing else is given. */
    readonly vsix?: string;
    /** Further packages to install beside it. */
    readonly companions?: readonly string[];
    /** The display language, which is English else. VS Code's own words stay English. */
    readonly language?: string;
    /**
     * Keeps settings, extensions and state here between runs, and shares the developer's own home and
     * environment. Without it everything is temporary and nothing of the developer's is seen.
     */
    readonly dataFolder?: string;
    /** The port to take when it is free. */
    readonly port?: number;
  },
): Promise<RunningVsCode>;
