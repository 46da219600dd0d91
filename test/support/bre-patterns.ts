// Basic regular expressions as people and machines write them, right and wrong, and lines of text for them to match.
import fc from 'fast-check';

const characters = [...'abcA1_-. é日)(|{}+?]^$*/:'];
const escapedCharacters = [...'.*[]^$\\/-adn}é_'].map((character) => `\\${character}`);
const assertions = ['^', '$', '\\<', '\\>', '\\b', '\\B', '\\`', "\\'"];
const classNames = 'alpha upper lower digit xdigit space punct alnum print graph cntrl blank'.split(' ');
const classes = classNames.map((name) => `[:${name}:]`);
const intervals = ['1', '2', '0', '0,1', '1,', ',2', ',', '1,3'].map((content) => `\\{${content}\\}`);
const operators = ['*', '\\+', '\\?', ...intervals];
const setParts = [...'abA1_-^][\\:.= $', 'a-c', '0-9', 'A-_', '+--', '[=a=]', '[.-.]', '[.a.]-c', ...classes];
const wrongSets = ['[', '[b-a]', '[[:foo:]]', '[:space:]', '[a-', '[[.ab.]]', '[^', '[]'];
const wrongIntervals = ['\\{', '\\{a\\}', '\\{2,1\\}', '\\{1', '\\{40000\\}'];
const strays = ['\\(', '\\)', '\\', '\\1', '\\2', '\\9', '\n', '*', '**', '\\|'];

const join = (parts: readonly string[]) => parts.join('');
const inGroup = (branches: readonly string[]) => `\\(${branches.join('\\|')}\\)`;

const set = fc
  .tuple(
    fc.constantFrom('', '^', ']', '^]'),
    fc.array(fc.constantFrom(...setParts), { minLength: 1, maxLength: 4 }),
  )
  .map(([start, parts]) => `[${start}${join(parts)}]`);
const atom = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...characters) },
  { weight: 2, arbitrary: fc.constantFrom(...escapedCharacters) },
  { weight: 3, arbitrary: fc.constantFrom('.', '\\w', '\\W', '\\s', '\\S') },
  { weight: 3, arbitrary: set },
);
const assertion = fc.constantFrom(...assertions);
const operator = fc.oneof(
  { weight: 3, arbitrary: fc.constant('') },
  { weight: 1, arbitrary: fc.constantFrom(...operators) },
);

type Parts = { branch: string; plainBranch: string; piece: string; group: string };

/** A group has an assertion in it seldom: where it is repeated, only grep itself knows what grep finds. */
const { branch } = fc.letrec<Parts>((tie) => ({
  branch: fc
    .array(fc.oneof({ weight: 1, arbitrary: assertion }, { weight: 4, arbitrary: tie('piece') }), {
      maxLength: 5,
    })
    .map(join),
  plainBranch: fc.array(tie('piece'), { maxLength: 4 }).map(join),
  piece: fc.tuple(fc.oneof({ maxDepth: 3, withCrossShrink: true }, atom, tie('group')), operator).map(join),
  group: fc
    .array(fc.oneof({ weight: 6, arbitrary: tie('plainBranch') }, { weight: 1, arbitrary: tie('branch') }), {
      minLength: 1,
      maxLength: 3,
    })
    .map(inGroup),
}));

const wellFormed = fc
  .tuple(fc.array(branch, { minLength: 1, maxLength: 3 }), fc.constantFrom('\\|', '\\|', '\n'))
  .map(([branches, separator]) => branches.join(separator));

/** Ranges that end beyond ASCII are left out: the C.UTF-8 locale refuses them, we do not. */
const broken = fc
  .array(
    fc.oneof(fc.constantFrom(...strays, ...wrongSets, ...wrongIntervals, ...operators), assertion, atom),
    {
      maxLength: 6,
    },
  )
  .map(join)
  .filter((pattern) => !/\[a-\\?[é日]/.test(pattern));

/** Simple enough, for the most part, that PCRE2 is asked. */
const text = fc
  .array(fc.tuple(atom, fc.constantFrom('', '', '', '*')).map(join), { minLength: 1, maxLength: 3 })
  .map(join);
const part = fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: branch });
const referring = fc
  .tuple(
    fc.oneof(fc.constantFrom('', '^', '\\<'), part),
    fc.tuple(part, fc.constantFrom('', '', '', '\\|b')).map(join),
    fc.constantFrom('', '', '', '', '*'),
    fc.oneof(fc.constant(''), part),
    fc.constantFrom('\\1', '\\1', '\\1', '\\1*', '\\1\\1', '\\2'),
    fc.oneof(fc.constantFrom('', '$', '\\>'), part),
  )
  .map(([before, group, repeat, between, reference, after]) =>
    join([before, inGroup([group]), repeat, between, reference, after]),
  );

export const brePatterns = { wellFormed, broken, referring };

export const textLine = fc
  .array(fc.constantFrom(...characters, ...'ababab\\[\t\rÉ9,=\u00a0٣'), { maxLength: 7 })
  .map(join);
