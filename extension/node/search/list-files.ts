import { captureProcess } from '../processes/capture-process.ts';

/** Which ignore files apply, as in VS Code's settings `search.use*IgnoreFiles`. */
interface IgnoreFiles {
  /** Ignore files in the folder. */
  readonly own: boolean;
  /** Ignore files in the folders above. */
  readonly parents: boolean;
  /** The user's own ignore file for Git. */
  readonly global: boolean;
}

export interface Listing {
  /** Absolute path of the program. */
  readonly ripgrep: string;
  /** Absolute path. */
  readonly folder: string;
  /** Patterns as in VS Code's settings. A pattern that does not begin with `**` is relative to the folder. */
  readonly excluded: readonly string[];
  readonly ignores: IgnoreFiles;
  readonly followsLinks: boolean;
  readonly most: number;
}

/** Estimated bytes of output per path. */
const PATH_BYTES = 200;

/**
 * Lists the files below a folder, including hidden ones. Paths are relative to the folder, with forward
 * slashes. Rejects with `AbortError`, and if ripgrep does not run.
 */
export async function listFiles(listing: Listing, signal: AbortSignal): Promise<readonly string[]> {
  const { ripgrep, folder, most } = listing;
  const program = {
    file: ripgrep,
    args: argumentsFor(listing),
    limit: most * PATH_BYTES,
    directory: folder,
  };
  const { stdout } = await captureProcess(program, signal);
  const paths = stdout.toString('utf8').split('\0');
  // The last zero byte is followed by nothing, or by a path that was cut.
  return paths.slice(0, -1).slice(0, most);
}

function argumentsFor({ excluded, ignores, followsLinks }: Listing): string[] {
  return [
    '--no-config',
    '--files',
    '--hidden',
    '--null',
    '--no-messages',
    '--path-separator=/',
    ...(followsLinks ? ['--follow'] : []),
    ...(ignores.own ? ['--no-require-git'] : ['--no-ignore']),
    ...(ignores.parents ? [] : ['--no-ignore-parent']),
    ...(ignores.global ? [] : ['--no-ignore-global']),
    '--glob=!.git',
    ...excluded.map((pattern) => `--glob=!${/^(?:\*\*|\/)/.test(pattern) ? '' : '/'}${pattern}`),
  ];
}
