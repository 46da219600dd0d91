// Patterns of paths, as in an ignore file and with braces: `src/**/*.{ts,tsx}`.

/** The pattern is not valid; `message` says why. */
export class GlobError extends Error {}

/** Any number of items, even none. */
const ANY = Symbol('any number');
type Character = (character: string) => boolean;
type Name = readonly (Character | typeof ANY)[];
type Path = readonly (Name | typeof ANY)[];

const MOST_ALTERNATIVES = 200;

/**
 * Returns a test for paths with forward slashes, relative to the folder that is searched. A pattern without a
 * slash matches names at any depth. One that ends in a plain name also matches all files below a folder of that
 * name. `!` at the start negates. Throws `GlobError`. A test takes O(pattern × path).
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const isNegated = glob.startsWith('!');
  const paths = alternativesIn(isNegated ? glob.slice(1) : glob).map(parsePath);
  return (path) => {
    const names = path.split('/').map((name) => Array.from(name));
    return paths.some((pattern) => matchesAll(pattern, names, matchesName)) !== isNegated;
  };
}

/** Whether the pattern names something hidden, so that hidden files are meant. */
export function namesHidden(glob: string): boolean {
  return /(?:^|[/{,])\.[^./]/.test(glob);
}

/** Whether the last name has no wildcard, so that it may be a folder. */
export function endsInName(glob: string): boolean {
  return !/[*?[{]/.test(glob.replace(/\/+$/, '').split('/').at(-1) ?? '');
}

function parsePath(pattern: string): Path {
  const names = pattern
    .replace(/^(?:\.\/)+/, '')
    .replace(/\/+$/, '')
    .split('/');
  if (names.includes('..')) throw new GlobError('a glob cannot have "..": give the folder as path');
  const below = endsInName(pattern) ? ['**'] : [];
  const all = names.length === 1 ? ['**', ...names, ...below] : [...names, ...below];
  return all.filter((name) => name !== '').map((name) => (name === '**' ? ANY : parseName(name)));
}

function parseName(name: string): Name {
  const characters = Array.from(name);
  const tokens: (Character | typeof ANY)[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*') tokens.push(ANY);
    else if (character === '?') tokens.push(() => true);
    else if (character === '[') {
      const end = endOfSet(characters, at);
      tokens.push(parseSet(characters.slice(at + 1, end)));
      at = end;
    } else {
      if (character === '\\') at += 1;
      const literal = characters[at] ?? '\\';
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

/** A `]` in the first place belongs to the set. */
function endOfSet(characters: readonly string[], open: number): number {
  const first = open + (/[!^]/.test(characters[open + 1] ?? '') ? 2 : 1);
  const end = characters.indexOf(']', first + 1);
  if (end < 0) throw new GlobError('the glob has a "[" without its "]"');
  return end;
}

function parseSet(content: readonly string[]): Character {
  const isNegated = content[0] === '!' || content[0] === '^';
  const items = isNegated ? content.slice(1) : content;
  const ranges: (readonly [from: string, to: string])[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const from = items[at] ?? '';
    const to = items[at + 1] === '-' ? items[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

/** The patterns without braces that the pattern stands for. */
function alternativesIn(pattern: string): string[] {
  if (pattern === '' || pattern.includes('\0'))
    throw new GlobError('the glob is empty or has a NUL character');
  const open = indexOutside(pattern, '{', 0);
  if (open < 0) return [pattern];
  const [options, end] = optionsAt(pattern, open);
  const [before, after] = [pattern.slice(0, open), pattern.slice(end)];
  const all = options.flatMap((option) => alternativesIn(before + option + after));
  if (all.length > MOST_ALTERNATIVES) throw new GlobError('the glob has too many alternatives in braces');
  return all;
}

/** The texts between the commas of the braces that open at `open`, and the index after the braces. */
function optionsAt(pattern: string, open: number): [options: string[], end: number] {
  const options: string[] = [];
  let depth = 1;
  let start = open + 1;
  for (let at = indexOutside(pattern, '{,}', start); at >= 0; at = indexOutside(pattern, '{,}', at + 1)) {
    const character = pattern[at];
    if (character === '{') depth += 1;
    if (character === '}') depth -= 1;
    if (depth > 1 || (depth === 1 && character !== ',')) continue;
    options.push(pattern.slice(start, at));
    start = at + 1;
    if (depth === 0) return [options, start];
  }
  throw new GlobError('the glob has a "{" without its "}"');
}

/** The index of the next of `wanted` that is neither escaped nor in brackets. */
function indexOutside(pattern: string, wanted: string, start: number): number {
  for (let at = start; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (wanted.includes(character)) return at;
    if (character === '\\') at += 1;
    if (character === '[') at = Math.max(at, pattern.indexOf(']', at + 2));
  }
  return -1;
}

function matchesName(name: Name, characters: readonly string[]): boolean {
  return matchesAll(name, characters, (fits, character) => fits(character));
}

/** Greedy, with one place to return to, because the last `ANY` can take what the earlier ones would. */
function matchesAll<Token, Item>(
  tokens: readonly (Token | typeof ANY)[],
  items: readonly Item[],
  fits: (token: Token, item: Item) => boolean,
): boolean {
  let [token, item, any, from] = [0, 0, -1, 0];
  while (item < items.length) {
    const wanted = tokens[token];
    if (wanted === ANY) {
      [any, from] = [token, item];
      token += 1;
    } else if (wanted !== undefined && fits(wanted as Token, items[item] as Item)) {
      token += 1;
      item += 1;
    } else if (any >= 0) {
      from += 1;
      [token, item] = [any + 1, from];
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest === ANY);
}
