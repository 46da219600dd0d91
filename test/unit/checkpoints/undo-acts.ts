// What calls, commands and the user do to files, at random.
import {
  appendFile,
  chmod,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';

const NAMES = ['a', 'b', 'd', 'd/x', 'd/y', 'd/e', 'd/e/z', 'f', 'f/g'];

/** Of what is at the path. */
interface Mode {
  readonly file: number;
  readonly directory: number;
}

export const OPEN: readonly [Mode, ...Mode[]] = [
  { file: 0o644, directory: 0o755 },
  { file: 0o755, directory: 0o700 },
  { file: 0o444, directory: 0o555 },
  { file: 0o400, directory: 0o500 },
];

/** Closed to their owner, in part or whole. */
export const CLOSED: readonly Mode[] = [
  { file: 0o000, directory: 0o000 },
  { file: 0o200, directory: 0o300 },
  { file: 0o044, directory: 0o644 },
];

export interface Act {
  readonly by: 'call' | 'command' | 'user';
  readonly kind: 'write' | 'line' | 'delete' | 'move' | 'mode' | 'link' | 'directory';
  readonly path: string;
  readonly other: string;
  readonly content: Uint8Array;
  readonly mode: Mode;
  /** What is there gives way first, whatever it is. */
  readonly replaces: boolean;
}

const line = fc.constantFrom('one', 'two', '', 'ä€😀', '    four');
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([lines, end, final]) => lines.join(end) + (final ? end : ''));
const content = fc.oneof(
  text.map((value) => Buffer.from(value)),
  text.map((value) => Buffer.from(`\uFEFF${value}`)),
  text.map((value) => Buffer.from(`\uFEFF${value}`, 'utf16le')),
  text.map((value) => Buffer.from(value, 'latin1')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from([0, ...bytes])),
);

export interface ActOptions {
  readonly by: readonly Act['by'][];
  readonly modes: readonly Mode[];
  readonly count: number;
}

export function acts({ by, modes, count }: ActOptions): fc.Arbitrary<readonly Act[]> {
  const act = fc.record({
    by: fc.constantFrom(...by),
    kind: fc.constantFrom<Act['kind'][]>(
      'write',
      'write',
      'line',
      'delete',
      'move',
      'mode',
      'mode',
      'link',
      'directory',
    ),
    path: fc.constantFrom(...NAMES),
    other: fc.constantFrom(...NAMES),
    content,
    mode: fc.constantFrom(...modes),
    replaces: fc.boolean(),
  });
  return fc.array(act, { minLength: 1, maxLength: count });
}

/** What the files do not allow is not done. */
export async function perform(root: string, act: Act): Promise<void> {
  await change(root, act).catch((error: NodeJS.ErrnoException) => {
    if (error.code === undefined) throw error;
  });
}

async function change(root: string, act: Act): Promise<void> {
  const { kind, path, other, content: bytes, mode, replaces } = act;
  const [at, to] = [join(root, path), join(root, other)];
  // A tool changes what a link leads to, which is another path.
  if (act.by === 'call' && !(await isDirect(root, act))) return;
  if (replaces && kind !== 'mode') await rm(kind === 'move' ? to : at, { recursive: true, force: true });
  const kinds = {
    write: () => put(at, bytes),
    line: () => appendFile(at, 'one line more\n'),
    delete: () => rm(at, { recursive: true }),
    move: async () => {
      await mkdir(dirname(to), { recursive: true });
      await rename(at, to);
    },
    mode: async () => chmod(at, (await lstat(at)).isFile() ? mode.file : mode.directory),
    link: async () => {
      await mkdir(dirname(at), { recursive: true });
      await symlink(other === path ? 'elsewhere' : to, at);
    },
    directory: async () => {
      await mkdir(at, { recursive: true });
      await put(join(at, 'inner'), bytes);
    },
  };
  await kinds[kind]();
}

async function isDirect(root: string, { kind, path, other }: Act): Promise<boolean> {
  const paths = [path, ...(kind === 'move' ? [other] : [])].map((name) => join(root, name));
  const follows = kind === 'write' || kind === 'line' || kind === 'mode' || kind === 'directory';
  for (const each of paths) {
    if (!(await isReal(dirname(each)))) return false;
    if (follows && (await lstat(each).catch(() => undefined))?.isSymbolicLink()) return false;
  }
  return true;
}

async function isReal(path: string): Promise<boolean> {
  const real = await realpath(path).catch(() => undefined);
  return real === undefined ? isReal(dirname(path)) : real === path;
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** The user puts a line at the top of a text. Undefined where that cannot be. */
export async function putLine(path: string, mine: string): Promise<string | undefined> {
  const old = await readFile(path).catch(() => undefined);
  if (!old || old.includes(0)) return undefined;
  return writeFile(path, Buffer.concat([Buffer.from(`${mine}\n`), old])).then(
    () => mine,
    () => undefined,
  );
}
