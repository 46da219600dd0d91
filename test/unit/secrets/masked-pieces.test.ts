import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stripTerminalCodes } from '../../../extension/core/base/text/terminal-codes.ts';
import { RecordedSecrets } from '../../../extension/core/recording/masks.ts';
import { maskedPieces } from '../../../extension/core/secrets/masked-pieces.ts';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import { maskPolicy } from '../../../extension/core/secrets/streaming-filter.ts';
import { harmless, secrets as kinds } from '../../support/secret-samples.ts';

const KNOWN = '"ca"\\x/ry-"known"-secret-4711"';
const KEY_LINES = `-----BEGIN PRIVATE KEY-----\n${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6kL9nP2rS5uV8xY1aB3dE6gH9jK2m'}`;
const TOKEN = kinds[0]?.[2] ?? '';
const secrets = new SecretFilter([KNOWN]);
const policy = maskPolicy(secrets);
const { hide: mask } = policy;
const JWT = kinds.find(([kind]) => kind === 'jwt')?.[2] ?? '';
const texts = [
  ...kinds.map((parts) => parts.slice(1).join('')),
  `say ${KNOWN} now`,
  `https://host/reset-password-confirmation-link-${JWT}`,
  `${'with-'.repeat(19)}${JWT}`,
  ...harmless,
];

/** What is written down of `pieces`. */
function written(name: string, pieces: readonly unknown[]): unknown[] {
  const masked = maskedPieces(name, policy);
  const held = pieces.map((piece) => masked.add(piece));
  masked.end();
  return held.map((piece, index) => {
    if (piece) expect(piece.isSettled).toBe(true);
    return piece ? piece.masked() : pieces[index];
  });
}

/** A text with secrets in it, and lengths of the pieces in which it comes. */
const anyText = fc
  .shuffledSubarray(texts, { minLength: 1, maxLength: 4 })
  .map((chosen) => chosen.join('\n '));
const anyLengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 });

function cut<Whole extends string | Uint8Array>(whole: Whole, lengths: readonly number[]): Whole[] {
  const pieces: Whole[] = [];
  for (let at = 0, index = 0; at < whole.length; index += 1) {
    const to = at + (lengths[index % lengths.length] ?? 1);
    // A slice of what was given.
    pieces.push(whole.slice(at, to) as Whole);
    at = to;
  }
  return pieces;
}

/** A text with codes of colours at these places. */
function coloured(text: string, places: readonly number[]): string {
  const codes = ['\x1b[01;31m\x1b[K', '\x1b[m', '\x1b[0m\x07', '\0', '\x1b]0;title\x07'];
  return [...new Set(places.map((place) => place % text.length))]
    .sort((one, other) => other - one)
    .reduce((rest, at, index) => rest.slice(0, at) + codes[index % codes.length] + rest.slice(at), text);
}

const bytesOf = (text: string) => new TextEncoder().encode(text);
const textOf = (pieces: readonly unknown[]) => Buffer.concat(pieces as Uint8Array[]).toString();

test('words of a model and output of a command, in any pieces, have what the whole has hidden', () => {
  fc.assert(
    fc.property(anyText, anyLengths, (text, lengths) => {
      const pieces = cut(text, lengths);
      const events = written(
        'model.turn',
        pieces.map((piece) => ({ type: 'text_delta', text: piece })),
      );
      expect(events.map((event) => (event as { text: string }).text).join('')).toBe(mask(text));
      const told = written(
        'shell.run',
        pieces.flatMap((piece) => [
          ['stdout', piece],
          ['stderr', 'x'],
        ]),
      );
      const output = (told as [string, string][]).filter(([stream]) => stream === 'stdout');
      expect(output.map(([, piece]) => piece).join('')).toBe(policy.hide(text, true));
    }),
  );
});

test.each(['https://host/reset-password-confirmation-link-', 'with-'.repeat(19), 'word-'.repeat(25)])(
  'as far before a token as it counts is looked at, in pieces too: %s',
  (before) => {
    const [, , token = ''] = kinds.find(([kind]) => kind === 'jwt') ?? [];
    const text = `${before}${token} `;
    const told = written(
      'shell.run',
      cut(text, [5]).map((piece) => ['stdout', piece]),
    );
    expect((told as [string, string][]).map(([, piece]) => piece).join('')).toBe(mask(text));
  },
);

test('what a command colours is hidden as what is read of it, in any pieces', () => {
  fc.assert(
    fc.property(anyText, anyLengths, anyLengths, (text, lengths, places) => {
      fc.pre(stripTerminalCodes(text) === text);
      const whole = coloured(text, places);
      const told = written(
        'shell.run',
        cut(whole, lengths).map((piece) => ['stdout', piece]),
      );
      const output = (told as [string, string][]).map(([, piece]) => piece).join('');
      expect(output).toBe(policy.hide(whole, true));
      expect(stripTerminalCodes(output)).toBe(mask(text));
      expect(new RecordedSecrets().text(stripTerminalCodes(output))).toBe(secrets.text(text));
    }),
  );
});

test('secrets that only a code parts are hidden one by one, in any pieces, and played as the log has them', () => {
  const code = fc.constantFrom(
    '\x1b[m\x1b[32m',
    '\x1b[20G',
    '\x1b[01;31m\x1b[K',
    '\x1b]0;title\x07',
    '\x1b(B',
  );
  const part = fc.tuple(
    fc.constantFrom(...kinds.map((parts) => parts.slice(1).join('')), 'word', 'a ~', ' \n'),
    code,
  );
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), anyLengths, (parts, lengths) => {
      const whole = parts.flat().join('');
      const told = written(
        'shell.run',
        cut(whole, lengths).map((piece) => ['stdout', piece]),
      );
      const output = (told as [string, string][]).map(([, piece]) => piece).join('');
      expect(output).toBe(policy.hide(whole, true));
      expect(output).toHaveLength(whole.length);
      const log = secrets.text(whole, true);
      expect(new RecordedSecrets().text(output, true)).toBe(log);
      expect(secrets.text(stripTerminalCodes(log))).toBe(stripTerminalCodes(log));
      for (const [, , secret] of kinds) expect(log).not.toContain(secret.slice(-20));
    }),
  );
});

test.each([
  ['a short last line', `${KEY_LINES}\naB3=\n-----END PRIVATE KEY-----\n`],
  ['a key that was cut off, and other words', `${KEY_LINES}\n const BEGIN = 1;\n 0a`],
  [
    'a line behind it that looks like the beginning of one',
    `${KEY_LINES}\n-----END PRIVATE KEY-----\n~/path\n~\n~x\n`,
  ],
  ['lines behind a token that look so', `${TOKEN}\n~1\n~/bin/foo\n~\n~~~\n${TOKEN}\n~\n`],
  ['what fills masks and what ends them', `^${TOKEN}^{commit} ~~${TOKEN}~~ and ${TOKEN}. HEAD~012345 ~0`],
  ['lines of one character', `${KEY_LINES}\na\n\nB3\n\r\n-----END PRIVATE KEY-----\n~`],
  ['a short password', 'postgres://me:pas5wd@localhost/ and http://me:passw0r@localhost/'],
  [
    'colours on each line',
    `${KEY_LINES}\naB3=\n-----END PRIVATE KEY-----`.replace(/^.*$/gm, '\x1b[32m$&\x1b[m'),
  ],
  ['colours elsewhere', `\x1b[32m$ echo\x1b[0m ${TOKEN}\n\x1b[34m~/project HEAD~012345`],
  ['within JSON', JSON.stringify({ key: `${KEY_LINES}\naB3=\n-----END PRIVATE KEY-----\n` })],
])('what stands for a secret of several lines is read as the log has it: %s', (_what, text) => {
  expect(mask(text)).not.toContain('aB3');
  expect(new RecordedSecrets().text(mask(text))).toBe(secrets.text(text));
});

/** A line of each family of providers with a few of a model's words. */
const LINES: readonly (readonly [family: string, line: (text: string) => string, read: RegExp])[] = [
  [
    'anthropic',
    (text) =>
      `event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":${text}}}\n\n`,
    /"text":"((?:[^"\\]|\\.)*)"/g,
  ],
  [
    'arguments',
    (text) =>
      `data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":${text}}}\n\n`,
    /"partial_json":"((?:[^"\\]|\\.)*)"/g,
  ],
  [
    'chat',
    (text) => `data: {"choices":[{"index":0,"delta":{"content":${text}}}]}\n\n`,
    /"content":"((?:[^"\\]|\\.)*)"/g,
  ],
  [
    'responses',
    (text) =>
      `data: {"type":"response.output_text.delta","item_id":"a","output_index":0,"delta": ${text}}\r\n\r\n`,
    /"delta": "((?:[^"\\]|\\.)*)"/g,
  ],
  [
    'ollama',
    (text) => `{"message":{"role":"assistant","content":${text}},"done":false}\n`,
    /"content":"((?:[^"\\]|\\.)*)"/g,
  ],
];

/** As JSON, plain or with an escape for every character that may have one. */
function quoted(text: string, isEscaped: boolean): string {
  const plain = JSON.stringify(text);
  if (!isEscaped) return plain;
  return plain.replace(/[^ -~]|[+/]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

test.each(LINES)(
  'the body of an answer (%s), in any pieces of any deltas, is the same but for what is hidden',
  (_family, lineOf, read) => {
    fc.assert(
      fc.property(anyText, anyLengths, anyLengths, fc.boolean(), (text, words, lengths, isEscaped) => {
        const body = bytesOf(
          cut(`é ${text}`, words)
            .map((word) => lineOf(quoted(word, isEscaped)))
            .join(''),
        );
        const pieces = written('wire.body', cut(body, lengths));
        const out = textOf(pieces);
        const said = [...out.matchAll(read)].map(([, raw]) => JSON.parse(`"${raw}"`)).join('');
        expect(new RecordedSecrets().text(said)).toBe(secrets.text(`é ${text}`));
        expect(Buffer.byteLength(out)).toBe(body.length);
        if (mask(text) === text) expect(out).toBe(Buffer.from(body).toString());
      }),
      { numRuns: 60 },
    );
  },
);

test('a file, in any pieces and whatever its encoding, keeps its length and loses its secrets', () => {
  fc.assert(
    fc.property(
      anyText,
      anyLengths,
      fc.constantFrom('utf8', 'utf16le', 'latin1'),
      (text, lengths, encoding) => {
        const mark = encoding === 'utf16le' ? '\ufeff' : '';
        const bytes = Buffer.from(`${mark}${text}`, encoding as BufferEncoding);
        const sizes = lengths.map((length) => length * 2);
        const out = Buffer.concat(
          written('workspace.stream', cut(new Uint8Array(bytes), sizes)) as Uint8Array[],
        );
        expect(out.toString(encoding as BufferEncoding)).toBe(`${mark}${mask(text)}`);
      },
    ),
  );
});

test.each(['utf8', 'latin1', 'utf16le'] as const)(
  'a secret with letters of all the world is hidden in a file too: %s',
  (encoding) => {
    const secret = 'pässwört-4711-xyz';
    const pieces = maskedPieces('workspace.stream', maskPolicy(new SecretFilter([secret])));
    const mark = encoding === 'utf16le' ? '\ufeff' : '';
    const held = pieces.add(new Uint8Array(Buffer.from(`${mark}a ${secret} b`, encoding)));
    pieces.end();
    const masked = Buffer.from(held?.masked() as Uint8Array).toString(encoding);
    expect(masked).toMatch(/a ~0\w{5}~+\. b$/);
    expect(new RecordedSecrets().text(masked)).toBe(new SecretFilter([secret]).text(`${mark}a ${secret} b`));
  },
);

test('what is waited for too long is hidden', () => {
  const pieces = maskedPieces('shell.run', policy);
  const held = pieces.add(['stdout', 'so "ca"\\x/ry-"k']);
  expect(held?.isSettled).toBe(false);
  pieces.cut();
  expect(held?.masked()).toEqual(['stdout', 'so ~~~~~~~~~~~~']);
});
