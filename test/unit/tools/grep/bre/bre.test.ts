import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { enginesFor } from '../../../../../extension/core/tools/grep/bre/choose-engine.ts';
import { parseBre } from '../../../../../extension/core/tools/grep/bre/parse-bre.ts';
import { PatternError } from '../../../../../extension/core/tools/grep/bre/pattern-error.ts';
import {
  pcreDialect,
  printRegex,
  rustDialect,
} from '../../../../../extension/core/tools/grep/bre/to-regex.ts';
import { brePatterns } from '../../../../support/bre-patterns.ts';

const rust = (pattern: string) => printRegex(parseBre(pattern), rustDialect);
const pcre = (pattern: string) => printRegex(parseBre(pattern), pcreDialect);
const unmatchedBracket = 'Unmatched [, [^, [:, [., or [=';

describe('an invalid pattern is refused in the words of grep', () => {
  it.each([
    ['[a', unmatchedBracket],
    ['[]', unmatchedBracket],
    ['[[:alpha:]', unmatchedBracket],
    ['[[:alpha', unmatchedBracket],
    ['[a\nb]', unmatchedBracket],
    ['\\(a', 'Unmatched ( or \\('],
    ['a\\)', 'Unmatched ) or \\)'],
    ['a\\{1', 'Unmatched \\{'],
    ['a\\{x', 'Unmatched \\{'],
    ['a\\{x\\}', 'Invalid content of \\{\\}'],
    ['a\\{2,1\\}', 'Invalid content of \\{\\}'],
    ['a\\{1,2,3\\}', 'Invalid content of \\{\\}'],
    ['a\\{32768\\}', 'Regular expression too big'],
    ['[b-a]', 'Invalid range end'],
    ['[a-c-e]', 'Invalid range end'],
    ['[[:digit:]-z]', 'Invalid range end'],
    ['[a-[:digit:]]', 'Invalid range end'],
    ['[[:letters:]]', 'Invalid character class name'],
    ['[[.space.]]', 'Invalid collation character'],
    ['[:space:]', 'character class syntax is [[:space:]], not [:space:]'],
    ['a\\', 'Trailing backslash'],
    ['a\\\nb', 'Trailing backslash'],
    ['\\1', 'Invalid back reference'],
    ['\\(a\\1\\)', 'Invalid back reference'],
    ['\\(a\\)\\|b\\1', 'Invalid back reference'],
    ['\\(a\\)\n\\1', 'Invalid back reference'],
    ['a\0', 'The pattern has a NUL character, which no text file has'],
  ])('%j', (pattern, message) => {
    expect(() => parseBre(pattern)).toThrow(message);
  });
});

it('refuses what is nested or repeated without measure', () => {
  for (const pattern of ['\\('.repeat(10_000), `a${'\\{2\\}'.repeat(10_000)}`]) {
    expect(() => parseBre(pattern)).toThrow('Regular expression too big');
  }
});

describe('a pattern in the syntax of Rust', () => {
  it.each([
    ['', ''],
    ['foo', 'foo'],
    ['a+b?c|d', 'a\\x{2b}b\\x{3f}c\\x{7c}d'],
    ['a\\+b\\?c\\|d', '(?:a)+(?:b){0,1}c|d'],
    ['\\(ab\\)*', '(?:(?:ab))*'],
    ['a\\{2\\}b\\{2,\\}c\\{,3\\}', '(?:a){2,2}(?:b){2,}(?:c){0,3}'],
    ['*a', '\\x{2a}a'],
    ['^*a', '^\\x{2a}a'],
    ['\\(*a\\|*b\\)', '(?:\\x{2a}a|\\x{2a}b)'],
    ['\\{1\\}', '\\x{7b}1\\x{7d}'],
    ['a^b$c', 'a\\x{5e}b\\x{24}c'],
    ['\\(^a$\\)\\|^b$', '(?:^a$)|^b$'],
    ['a$|b', 'a$\\x{7c}b'],
    ['one\ntwo', 'one|two'],
    ['\\<a\\>\\b\\B', '\\b{start}a\\b{end}\\b\\B'],
    ["\\`a\\'", '^a$'],
    ['\\.\\d\\/', '\\x{2e}d\\x{2f}'],
    ['[]a\\-]', '[\\x{5d}a\\x{5c}\\x{2d}]'],
    ['[^a-z]', '[^a-z]'],
    ['[--/]', '[\\x{2d}-\\x{2f}]'],
    ['[[=a=][.-.]]', '[a\\x{2d}]'],
    ['[[:digit:]]', '[0-9]'],
    ['[а-я]é.', '[а-я]é.'],
  ])('%j is %j', (pattern, expected) => {
    expect(rust(pattern)).toBe(expected);
  });
});

describe('a pattern in the syntax of PCRE2', () => {
  it.each([
    ['\\(a\\)\\1', '(?<g1>a)\\k{g1}'],
    ['\\(a\\)\\1\n\\(b\\)\\1', '(?<g1>a)\\k{g1}|(?<g2>b)\\k{g2}'],
    ['[^ab]', '(?:(?![a]|[b]).)'],
  ])('%j is %j', (pattern, expected) => {
    expect(pcre(pattern)).toBe(expected);
  });
});

describe('the engine for a pattern', () => {
  it.each([
    ['foo.*[a-z]\\>', 'rust'],
    ['\\<\\(get\\|set\\)\\>', 'rust'],
    ['\\(\\w\\w*\\) \\1', 'pcre'],
    ['\\(a\\)*\\1', 'grep'],
    ['\\(a*\\)b\\1', 'grep'],
    ['\\(.\\)\\1\\>', 'grep'],
    ['\\(ab**\\)\\1', 'grep'],
    ['\\(\\<a\\)*', 'grep'],
    ['^\\($\\)a$', 'grep'],
    ['\\(..\\|.\\)\\>', 'grep'],
    ['\\w\\b*', 'grep'],
    ['a$|b', 'rust'],
    ['\\w$|b', 'grep'],
  ])('%j: %s', (pattern, engine) => {
    expect(enginesFor(parseBre(pattern))[0]).toBe(engine);
  });

  it('is seldom grep', () => {
    const engines = fc.sample(brePatterns.wellFormed, { numRuns: 500, seed: 1 }).flatMap((pattern) => {
      const engine = engineOf(pattern);
      return engine ? [engine] : [];
    });
    expect(engines.filter((engine) => engine === 'rust').length).toBeGreaterThan(engines.length / 2);
  });
});

/** Undefined for an invalid one. */
function engineOf(pattern: string): string | undefined {
  try {
    return enginesFor(parseBre(pattern))[0];
  } catch {
    return undefined;
  }
}

it('reads any text as a pattern, or refuses it', () => {
  const anything = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), brePatterns.broken);
  const isSettled = (pattern: string) => {
    try {
      return typeof pcre(pattern) === 'string';
    } catch (error) {
      return error instanceof PatternError;
    }
  };
  fc.assert(fc.property(anything, isSettled), { numRuns: 3000, seed: 1 });
});
