import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText, encodeBody, encodeText } from '../../../../extension/core/base/text/encoding.ts';
import { lineEndOf, splitLines, usualLineEnd } from '../../../../extension/core/base/text/lines.ts';

const bytes = (...parts: (string | readonly number[])[]) =>
  new Uint8Array(
    Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part)))),
  );

const reversed = (text: string) => [...Buffer.from(text, 'utf16le').swap16()];

it.each([
  ['plain', bytes('a\r\né€😀'), 'a\r\né€😀', 'utf-8'],
  ['empty', bytes(), '', 'utf-8'],
  ['with a mark', bytes([0xef, 0xbb, 0xbf], 'aé'), 'aé', 'utf-8-bom'],
  ['UTF-16LE', bytes([0xff, 0xfe], [...Buffer.from('a\n😀', 'utf16le')]), 'a\n😀', 'utf-16le'],
  ['UTF-16BE', bytes([0xfe, 0xff], reversed('a\n😀')), 'a\n😀', 'utf-16be'],
  ['UTF-16LE with half a pair', bytes([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), '\uD800A', 'utf-16le'],
  ['Latin-1', bytes('caf', [0xe9, 0x0a, 0x80]), 'caf\u00e9\n\u0080', 'latin1'],
  ['Shift-JIS', bytes([0x83, 0x65, 0x83, 0x58], ' x\n'), '\u0083e\u0083X x\n', 'latin1'],
  ['a mark and no UTF-8 behind it', bytes([0xef, 0xbb, 0xbf, 0xe9]), '\u00ef\u00bb\u00bf\u00e9', 'latin1'],
])('decodes %s', (_, file, text, encoding) => {
  expect(decodeText(file)).toEqual({ text, encoding });
  expect(encodeText({ text, encoding } as Parameters<typeof encodeText>[0])).toEqual(file);
});

it('knows a binary file by a NUL near its beginning', () => {
  expect(decodeText(bytes('a', [0], 'b'))).toBeUndefined();
  expect(decodeText(bytes('x'.repeat(8191), [0]))).toBeUndefined();
  expect(decodeText(bytes('x'.repeat(8192), [0]))?.encoding).toBe('utf-8');
  expect(decodeText(bytes([0xff, 0xfe, 0x00]))).toBeUndefined();
});

it('gives every text back byte for byte', () => {
  const mark = fc.constantFrom([], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]);
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary', maxLength: 100 }).map((text) => new TextEncoder().encode(text)),
  );
  fc.assert(
    fc.property(mark, body, (first, rest) => {
      const file = bytes(first, [...rest]);
      const decoded = decodeText(file);
      if (decoded) expect(encodeText(decoded)).toEqual(file);
      else expect(file).toContain(0);
    }),
    { numRuns: 1000 },
  );
});

it('has no Latin-1 for other characters', () => {
  expect(encodeBody('é', 'latin1')).toEqual(bytes([0xe9]));
  expect(encodeBody('€', 'latin1')).toBeUndefined();
});

it('decodes 10 MB in each encoding', () => {
  const text = 'aé\n'.repeat(2_000_000);
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'latin1'] as const) {
    const file = encodeText({ text, encoding });
    expect(file && decodeText(file)?.text === text).toBe(true);
  }
});

it('splits lines at line feeds only', () => {
  expect(splitLines('')).toEqual([]);
  expect(splitLines('a\nb\n')).toEqual(['a\n', 'b\n']);
  expect(splitLines('a\r\nb\rc\u2028d\n\ne')).toEqual(['a\r\n', 'b\rc\u2028d\n', '\n', 'e']);
  expect(splitLines('a\r\nb\rc\n\ne').map(lineEndOf)).toEqual(['\r\n', '\n', '\n', '']);
});

it('finds the line end that prevails', () => {
  expect(usualLineEnd([])).toBe('\n');
  expect(usualLineEnd(['a\r\n', 'b\n'])).toBe('\n');
  expect(usualLineEnd(['a\r\n', 'b\n', 'c\r\n'])).toBe('\r\n');
  expect(usualLineEnd(['a\r\n', 'b'])).toBe('\r\n');
});
