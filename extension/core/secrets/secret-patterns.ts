// Patterns of secrets. Each kind has a fixed beginning, so hashes, ids and images do not match.
import { CONTROLS } from '../base/text/terminal-codes.ts';

/** The number of characters before a secret that the filter examines. */
export const BEFORE = 128;
/** The length of the longest secret, in characters. */
export const LONGEST_SECRET = 24_000;

export interface SecretKind {
  readonly name: string;
  /** Source of an expression. Its only group is the secret; the rest excludes other texts. */
  readonly source: string;
  /** Literal beginnings. Every match of `source` or `open` begins with one of them. */
  readonly starts: readonly string[];
  /** Source of an expression for a secret that has begun and may continue after the end of a text. */
  readonly open: string;
}

/** A kind with one of `starts`, then `min` to `max` characters of `rest`. Another start ends the token. */
function token(name: string, starts: readonly string[], rest: string, min: number, max = 400): SecretKind {
  const start = `(?:${starts.map(escapeLiteral).join('|')})`;
  // A token of fixed length ends by its length, so a start within it does not end it.
  const more = min === max ? rest : `(?:(?!${start})${rest})`;
  const source = `(${start}${more}{${min},${max}})(?!${more})`;
  return { name, source, starts, open: `${start}${more}{0,${max}}` };
}

const BEGIN_KEY = '-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
const END_KEY = '-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----';
/** Between a name and its value, in code, in JSON and in JSON within JSON. */
const IS = '["\'\\\\\\s:=,]{1,12}';
const AUTHORIZATION = '(?:[Aa]uthorization|AUTHORIZATION)';
const SCHEME = '(?:[Bb]earer|[Bb]asic|[Tt]oken)';
const AWS_SECRET = '(?:aws_secret_access_key|AWS_SECRET_ACCESS_KEY|[sS]ecretAccessKey)';
/** No control characters: an address has none, and binary data is full of them. */
const USER = '[^\\s\\0-\\x1f\\x7f-\\x9f:@/?#"\'\\\\<>]';
const PASSWORD = '[^\\s\\0-\\x1f\\x7f-\\x9f:@/?#"\'\\\\<>[\\]{}$*]';

/**
 * Where a token with dots may begin: at the start of a word, after an escape of JSON or an address, after a
 * color, or after a short word and a hyphen. Anywhere else, a long run of beginnings would take quadratic
 * time.
 */
const APART =
  '(?:(?<![\\w-])|(?<=\\\\[nrtbf]|(?:\\\\u[\\dA-Fa-f]{2}|%)[\\dA-Fa-f]{2})|(?<=\\[[\\d;]{0,20}m)|(?<=(?<![\\w-])[\\w-]{0,100}-))';

/** In the order in which they are tried at one place. */
export const secretKinds: readonly SecretKind[] = [
  token('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], '[A-Za-z0-9]', 36),
  token('github-token', ['github_pat_'], '\\w', 50),
  token('gitlab-token', ['glpat-'], '[\\w.-]', 20),
  token('slack-token', ['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xoxe-', 'xapp-'], '[\\w-]', 20),
  token('slack-webhook', ['hooks.slack.com/services/'], '[\\w/]', 24),
  token('google-key', ['AIza'], '[\\w-]', 35, 35),
  token('google-key', ['GOCSPX-', 'ya29.'], '[\\w-]', 24),
  token('stripe-key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'], '[A-Za-z0-9]', 20),
  token('anthropic-key', ['sk-ant-'], '[\\w-]', 20),
  token('openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], '[\\w-]', 20),
  token('api-key', ['sk-or-v1-', 'sk-', 'xai-', 'gsk_'], '[A-Za-z0-9]', 32),
  token('huggingface-token', ['hf_'], '[A-Za-z0-9]', 30),
  token('npm-token', ['npm_'], '[A-Za-z0-9]', 36, 36),
  token('pypi-token', ['pypi-AgE'], '[\\w-]', 50),
  token('aws-key-id', ['AKIA', 'ASIA'], '[A-Z0-9]', 16, 16),
  {
    name: 'jwt',
    source: `${APART}(eyJ[\\w-]{8,2000}\\.eyJ[\\w-]{8,4000}\\.[\\w-]{10,2000})`,
    starts: ['eyJ'],
    open: `${APART}eyJ[\\w-]{0,2000}(?:\\.(?:e(?:y(?:J[\\w-]{0,4000}(?:\\.[\\w-]{0,2000})?)?)?)?)?`,
  },
  {
    name: 'private-key',
    // A key that was cut has no end line. The match continues as long as lines of Base64 follow.
    source: `(${BEGIN_KEY}(?:(?:[^-]|-(?!----)){40,20000}${END_KEY}|(?:(?:\\s|\\\\{1,4}[nr]){1,12}[A-Za-z0-9+/=]{16,20000}){1,400}))`,
    starts: ['-----BEGIN '],
    open: `(?:-----BEGIN [A-Z0-9 ]{0,45}-{0,4}|${BEGIN_KEY}(?:(?!${END_KEY})[^]){0,20000})`,
  },
  {
    name: 'aws-secret-key',
    source: `${AWS_SECRET}${IS}([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+])`,
    starts: ['aws_secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'SecretAccessKey', 'secretAccessKey'],
    open: `${AWS_SECRET}(?:${IS}[A-Za-z0-9/+]{0,40})?`,
  },
  {
    name: 'bearer-token',
    source: `${AUTHORIZATION}${IS}${SCHEME}\\s{1,4}(?=[^\\d\\s]{0,99}\\d)([\\w.~+/-]{16,4000}={0,2})`,
    starts: ['Authorization', 'authorization', 'AUTHORIZATION'],
    open: `${AUTHORIZATION}(?:${IS}(?:[A-Za-z]{0,6}|${SCHEME}\\s{1,4}[\\w.~+/-]{0,4000}={0,2}))?`,
  },
  {
    name: 'url-password',
    source: `//${USER}{1,64}:(?=[^\\d\\s@]{0,99}\\d)(${PASSWORD}{6,200})@(?!(?:[\\w.-]{1,80}\\.)?example\\b)`,
    starts: ['/'],
    open: `/(?:/${USER}{0,64}(?::${PASSWORD}{0,200})?)?`,
  },
];

/** False for an example of a secret: words, or very few different characters. */
export function looksReal(secret: string): boolean {
  if (/example/i.test(secret) || new Set(secret).size < 6) return false;
  return /\d/.test(secret) || !/[-_][A-Za-z]+[-_]/.test(secret);
}

/** Escapes `literal` for an expression. */
export function escapeLiteral(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** A beginning with at most this many characters may be part of an ordinary word. */
export const CHANCE = 3;
/** The literal beginnings of all kinds. */
export const STARTS = secretKinds.flatMap(({ starts }) => starts);

/**
 * Matches each text that contains a secret of a kind above, one of `forms`, or a terminal code. Also matches
 * a text that ends with the beginning of a secret. Few other texts match.
 */
export function beginningsOf(forms: readonly string[]): RegExp {
  const literals = [...STARTS, ...forms];
  const anywhere = literals.map((literal) => literal.slice(0, CHANCE + 1));
  const atEnd = [1, 2, CHANCE].flatMap((length) =>
    literals.filter((literal) => literal.length > length).map((literal) => literal.slice(0, length)),
  );
  return new RegExp(`${CONTROLS}|${anyOf(anywhere)}|(?<!\\w)(?:${anyOf(atEnd)})$`);
}

function anyOf(literals: readonly string[]): string {
  return [...new Set(literals)].map(escapeLiteral).join('|');
}
