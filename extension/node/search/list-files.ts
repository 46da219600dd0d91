import { captureProcess } from '../processes/capture-process.ts';

/** Which of the ignore files count, as VS Code's settings `search.use*IgnoreFiles` say. */
interface IgnoreFiles {
  /** Those in the folder. */
  readonly own: boolean;
  /** Those in the folders above. */
  readonly parents: boolean;
  /** The user's own, of Git. */
  readonly global: boolean;
}

export interface Listing {
  /** Absolute path of the program. */
  readonly ripgrep: string;
  /** Absolute path. */
  readonly folder: string;
  /** Patterns as in VS Code's settings: one without `**` before it holds for the folder itself. */
  readonly excluded: readonly string[];
  readonly ignores: IgnoreFiles;
  readonly followsLinks: boolean;
  readonly most: number;
}

/** Bytes of output for each path. */
const PATH_BYTES = 200;

/** The files below a folder, hidden ones too, relative to it and with forward slashes. Rejects with `AbortError`, and where ripgrep does not run. */
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
  // What stands behind the last zero is nothing, or a path that was cut.
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
