import { sep } from 'node:path';

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
