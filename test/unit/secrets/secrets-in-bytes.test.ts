import { expect, test } from 'vitest';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import { maskBytes, searchableText } from '../../../extension/core/secrets/secrets-in-bytes.ts';
import { secrets } from '../../support/secret-samples.ts';

const filter = new SecretFilter();
const mask = (text: string) => filter.mask(text);
const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const NOISE = '\0\x9f\xe5\x96\0';

test('no secret is found in the noise of what is no text', () => {
  const noise = `${NOISE}//\xe5\xbf:\xd11\xf2\xe3\xc4\xb5@${NOISE}`;
  expect(mask(noise), 'with each byte as a character it looks like one').toContain('~');
  const bytes = bytesOf(noise);
  expect(maskBytes(bytes, mask)).toBe(bytes);
  expect(filter.text(searchableText(bytes))).toBe(searchableText(bytes));
});

test.each(secrets)(
  'a %s is found in what is no text, and nothing else is touched',
  (_kind, before, secret, after) => {
    const bytes = bytesOf(`${NOISE}${before}${secret}${after}${NOISE}`);
    const masked = Buffer.from(maskBytes(bytes, mask)).toString('latin1');
    const place = NOISE.length + before.length;
    expect(masked.slice(0, place)).toBe(NOISE + before);
    expect(masked.slice(place + secret.length)).toBe(after + NOISE);
    for (const line of masked.slice(place, place + secret.length).split('\n'))
      expect(line).toMatch(/^~[01]\w{0,5}~*\.?$/);
  },
);

test('what is text keeps its encoding', () => {
  const before = Buffer.from('\ufeffpostgres://äpp:geheim1234@db', 'utf16le');
  const after = Buffer.from(maskBytes(before, mask)).toString('utf16le');
  expect(after).toMatch(/^\ufeffpostgres:\/\/äpp:~0\w{5}~{2}\.@db$/);
});
