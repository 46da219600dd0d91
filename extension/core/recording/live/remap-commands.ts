import { relative, sep } from 'node:path';
import { isInside } from '../../base/paths.ts';

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

/** Values of the environment that commands run in, by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Whether a command may leave the folders that it runs in, by what it says: another absolute path, `~`, `..`, a `cd` to no
 * folder that is named, or what only a shell works out. What programs and scripts do then is not known.
 */
export function mayLeave(command: string, folders: readonly string[], environment: Environment): boolean {
  const values = { HOME: '~', ...environment, PWD: '.' };
  const text = HAS_SLASHES ? withValues(command.replaceAll('\\\n', ''), values) : command;
  if (/[$`]/.test(text)) return true;
  const inner = folders.reduce((current, folder) => current.replaceAll(folder, '.'), unquoted(text));
  const own = inner.replaceAll(FILE_SCHEME, '').replaceAll(NET_SCHEME, '').replaceAll(SYSTEM, '.');
  return LEAVING.test(own) || (environment.CDPATH ? CD_BY_NAME : CD_ANYWHERE).test(own);
}

const HAS_SLASHES = sep === '/';
const LETTER = '\\p{L}\\p{N}_';
/** A slash here goes on with a relative path. */
const IN_PATH = `[${LETTER}.*?\\]/]`;
/** Behind the letters of an option begins a path, too. */
const IN_OPTION = `(?<=(?<![${LETTER}./-])-[${LETTER}-]*)`;
const PATH_BEGINS = `(?:(?<!${IN_PATH})|${IN_OPTION})/`;
const TO_PARENT = `\\.(?:\\.(?![${LETTER}.])|\\{)`;
const UP = `(?<![${LETTER}.*?\\]])(?:${TO_PARENT}|\\.[*?[])|${IN_OPTION}${TO_PARENT}`;
const DRIVE = `(?<![${LETTER}])\\p{L}:|%`;
const LEAVING = new RegExp(
  [`(?<![${LETTER}])~`, PATH_BEGINS, UP, ...(HAS_SLASHES ? [] : [DRIVE])].join('|'),
  'u',
);
const FILE_SCHEME = new RegExp(`\\bfile://(?:[${LETTER}][${LETTER}.-]*)?`, 'giu');
const NET_SCHEME = /\b(?:https?|wss?|ssh|git|ftp):\/\//giu;
/** What programs are run by and output goes to; nobody's workspace lies there. */
const SYSTEM = new RegExp(
  `(?<!${IN_PATH})/(?:dev/(?:null|std(?:in|out|err)|tty)|(?:usr/)?bin/[${LETTER}+-]+)(?![${LETTER}/.*?[{+-])`,
  'gu',
);
const CD_ANYWHERE = cdTo(`[.${LETTER}]`);
const CD_BY_NAME = cdTo('\\.');

/** Finds a `cd` to anything else than what begins so. */
function cdTo(folder: string): RegExp {
  const named = `[ \\t]+(?:--[ \\t]+)?(?!\\d*[<>])${folder}`;
  return new RegExp(`(?<![${LETTER}./-])(?:cd|chdir|pushd)(?![${LETTER}./-])(?!${named})`, 'u');
}

/** With the values of variables in place of their plain names. */
function withValues(command: string, values: Environment): string {
  return command.replaceAll(
    /\$(?:[\d?$!#@*-]|([a-z_]\w*)|\{([a-z_]\w*)\})/gi,
    (_found, bare?: string, braced?: string) => values[bare ?? braced ?? ''] ?? '',
  );
}

function unquoted(text: string): string {
  return text.replaceAll(/['"]/g, '').replaceAll('\\', HAS_SLASHES ? '' : '/');
}
