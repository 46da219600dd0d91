import { relative, sep } from 'node:path';
import { isInside } from '../../tools/is-inside.ts';
import { type Environment, mayLeave } from './leaving-commands.ts';

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
  readonly #isHere: boolean;
  readonly #environment: Environment;

  /** `home`: the user's, absolute. */
  constructor(folders: readonly MovedFolder[], home: string, environment: Environment) {
    const named = folders
      .flatMap(({ names, ...folder }) => names.map((name) => ({ name, ...folder })))
      .sort((one, other) => other.name.length - one.name.length);
    this.#lives = named.map(({ live }) => live);
    this.#folders = anyOf(named.map(({ name }) => `(${spelled(name, home)})`));
    this.#isHere = folders.some(({ isHere }) => isHere);
    this.#environment = environment;
  }

  /** The command, with the folders that take the place of those that it names. */
  toLive(command: string): string {
    return command.replaceAll(this.#folders, (found: string, ...groups: unknown[]) => {
      const live = this.#lives[groups.findIndex((group) => group !== undefined)] ?? found;
      return found.includes('\\') && sep === '/' ? live.replaceAll(/[^\w/.-]/g, '\\$&') : live;
    });
  }

  /** Whether a command that was moved may get at a recorded folder that is on this machine, by what it says. */
  mayReach(command: string): boolean {
    return this.#isHere && mayLeave(command, this.#lives, this.#environment);
  }
}

/** The path of an address (`file:///w`) begins behind its first two slashes. */
const NOT_OF_ADDRESS = '(?<!:/)(?!(?<=:)//)';
/** Behind no other name, but behind an option (`-C/w`) or a variable, which may be empty. What it begins with is looked for first: that is fast. */
const NAME_BEGINS = `(?=[\\\\/~$"]|\\w\\\\?:)${NOT_OF_ADDRESS}(?:(?<![\\w.-])|(?<=(?<![\\w./-])[-$][\\w-]*))`;
const NAME_ENDS = '(?![\\w-]|\\.\\w)';
const BETWEEN = '[\\\\/](?:\\.?[\\\\/]){0,9}';
const HOME = '(?:~|\\$HOME|\\$\\{HOME\\}|"\\$HOME"|"\\$\\{HOME\\}")';

function anyOf(sources: readonly string[]): RegExp {
  return new RegExp(
    sources.length === 0 ? '(?!)' : `${NAME_BEGINS}(?:${sources.join('|')})${NAME_ENDS}`,
    'g',
  );
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
