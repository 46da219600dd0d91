import { dirname, parse, relative, sep } from 'node:path';
import { isInside } from '../../tools/is-inside.ts';

/** A recorded folder, and the one that takes its place. */
export interface MovedFolder {
  /** Absolute: the recorded one, and what its links lead to on this machine. */
  readonly names: readonly string[];
  readonly live: string;
  /** It is on this machine: a command could get at it. */
  readonly isHere: boolean;
}

/** The folders of a recorded session, as commands name them: also by `~`, `$HOME`, behind an option's letter, with doubled or escaped characters. */
export class MovedCommands {
  readonly #lives: readonly string[];
  readonly #folders: RegExp;
  readonly #above: RegExp;

  /** `home`: the user's, absolute. */
  constructor(folders: readonly MovedFolder[], home: string) {
    const named = folders
      .flatMap(({ names, ...folder }) => names.map((name) => ({ name, ...folder })))
      .sort((one, other) => other.name.length - one.name.length);
    const above = new Set(named.flatMap(({ name, isHere }) => (isHere ? foldersAbove(name) : [])));
    this.#lives = named.map(({ live }) => live);
    this.#folders = anyOf(
      named.map(({ name }) => `(${spelled(name, home)})`),
      NAME_ENDS,
    );
    this.#above = anyOf(
      [...above].map((name) => spelled(name, home)),
      NOTHING_ELSE_IN_IT,
    );
  }

  /** The command, with the folders that take the place of those that it names. */
  toLive(command: string): string {
    return command.replaceAll(this.#folders, (found: string, ...groups: unknown[]) => {
      const live = this.#lives[groups.findIndex((group) => group !== undefined)] ?? found;
      return found.includes('\\') && sep === '/' ? live.replaceAll(/[^\w/.-]/g, '\\$&') : live;
    });
  }

  /** Whether a command that was moved names a folder in which a recorded one lies on this machine. */
  mayReach(command: string): boolean {
    return command.search(this.#above) >= 0;
  }
}

/** Behind no other name, but behind an option (`-C/w`) or a variable, which may be empty. What it begins with is looked for first: that is fast. */
const NAME_BEGINS = '(?=[\\\\/~$"]|\\w\\\\?:)(?:(?<![\\w.-])|(?<=(?<![\\w./-])[-$][\\w-]*))';
const NAME_ENDS = '(?![\\w-]|\\.\\w)';
/** Neither a longer name nor that of something in it, unless that is a pattern or leads up. */
const NOTHING_ELSE_IN_IT = '(?![\\w-]|\\.\\w|[\\\\/]+(?!\\.\\.(?!\\w)|[\\w.-]*[*?[{$`])[\\w.-])';
const BETWEEN = '[\\\\/](?:\\.?[\\\\/]){0,9}';
const HOME = '(?:~|\\$HOME|\\$\\{HOME\\}|"\\$HOME"|"\\$\\{HOME\\}")';

function anyOf(sources: readonly string[], end: string): RegExp {
  return new RegExp(sources.length === 0 ? '(?!)' : `${NAME_BEGINS}(?:${sources.join('|')})${end}`, 'g');
}

/** Source of an expression for all that means this folder. */
function spelled(path: string, home: string): string {
  const inHome = isInside(home, path) ? [[HOME, ...stepsOf(relative(home, path))].join(BETWEEN)] : [];
  return [stepsOf(path).join(BETWEEN), ...inHome].join('|');
}

/** Each of its steps, a character of which a shell takes for its own may stand behind a backslash. */
function stepsOf(path: string): readonly string[] {
  const steps = path === '' ? [] : path.split(sep);
  return steps.map((step) => step.replaceAll(/[^\w-]/g, (character) => `\\\\?${escaped(character)}`));
}

function escaped(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}

/** But for the root of the file system, in which everything lies. */
function foldersAbove(path: string): readonly string[] {
  const above = dirname(path);
  return above === parse(path).root ? [] : [above, ...foldersAbove(above)];
}
