import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeholderOf, placeholdersIn } from '../../../extension/core/secrets/placeholder.ts';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { harmless, random, secrets } from '../../support/secret-samples.ts';

const KNOWN = 'canary-Key/with+"signs"-77';
const filter = new SecretFilter([KNOWN]);

/** Each of its lines is hidden, and there are as many. */
const hidden = (kind: string, secret: string) =>
  secret.replace(/[^\n]+/g, placeholderOf(kind, secret.replaceAll('\n', '')));

describe('what looks like a secret is hidden, and nothing around it', () => {
  test.each(secrets)('%s behind %j', (kind, before, secret, after) => {
    const text = before + secret + after;
    expect(filter.text(text)).toBe(before + hidden(kind, secret) + after);
  });

  test.each(secrets)('%s behind %j, in JSON and in JSON within JSON', (kind, before, secret, after) => {
    for (const levels of [1, 2]) {
      const wrap = (text: string) => (levels === 2 ? JSON.stringify({ stdout: text }) : text);
      const result = JSON.stringify({ content: wrap(`\n${before}${secret}${after}`) });
      const clean = filter.text(result);
      expect(clean).not.toContain(secret.split('\n')[1] ?? secret);
      expect(clean).not.toContain(secret.slice(-20));
      expect(JSON.parse(clean)).toHaveProperty('content');
    }
    const { content } = JSON.parse(filter.text(JSON.stringify({ content: `\n${before}${secret}${after}` })));
    expect(content).toBe(`\n${before}${hidden(kind, secret)}${after}`);
  });

  test('also where a colour stands before it', () => {
    const secret = `ghp_${random(36)}`;
    const text = `\u001b[32m${secret}\u001b[0m`;
    expect(filter.text(text)).not.toContain(secret);
    expect(filter.text(JSON.stringify(text))).not.toContain(secret);
  });
});

test.each(harmless)('left as it is: %s', (text) => {
  expect(filter.text(text)).toBe(text);
  expect(filter.text(JSON.stringify({ text }))).toBe(JSON.stringify({ text }));
});

test('what Harness knows is hidden in every form, and always by the same placeholder', () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const forms = [
    KNOWN,
    encodeURIComponent(KNOWN),
    JSON.stringify(KNOWN),
    base64(KNOWN),
    base64(`user:${KNOWN}`),
    base64(`u:${KNOWN} and more`),
  ];
  const clean = filter.text(forms.join(' | '));
  expect(clean).not.toContain('canary');
  expect(clean).not.toContain(base64(KNOWN).slice(4, 20));
  expect([...placeholdersIn(clean)]).toEqual([placeholderOf('secret', KNOWN)]);
  expect(clean.match(/\[redacted:/g)).toHaveLength(forms.length);
});

test.each(['hunter2-of-the-domain', 'nobody-knows-this-one', 'u0041-and-more-of-it', 'uncle-of-nobody-77'])(
  'behind a backslash, too, which JSON may have put there: %s',
  (known) => {
    const clean = new SecretFilter([known]);
    const first = /^(?:n|u0041)?/.exec(known)?.[0] ?? '';
    const hiddenThere = first + placeholderOf('secret', known);
    expect(clean.text(`CORP\\${known} in C:\\${known}\\a`)).toBe(
      `CORP\\${hiddenThere} in C:\\${hiddenThere}\\a`,
    );
    expect(clean.mask(`CORP\\${known} and`)).toHaveLength(`CORP\\${known} and`.length);
    expect(JSON.parse(clean.text(`["\\${first || 'n'}${known.slice(first.length)}"]`))).toHaveLength(1);
  },
);

test('what only a control character parts is not put together where another secret is hidden', () => {
  const parted = `${KNOWN.slice(0, 9)}\x07${KNOWN.slice(9)}`;
  const coloured = `${KNOWN.slice(0, 9)}\x1b[1m${KNOWN.slice(9)}`;
  expect(filter.text(`${parted} ${coloured}`)).toBe(`${parted} ${placeholderOf('secret', KNOWN)}`);
});

test('what was hidden once stays as it is', () => {
  const once = filter.text(secrets.map(([, before, secret, after]) => before + secret + after).join('\n'));
  expect(filter.text(once)).toBe(once);
});

test.each(secrets)(
  'what stands for a secret in a recording is none: %s behind %j',
  (_kind, before, secret, after) => {
    const masked = filter.mask(before + secret + after);
    expect(masked).not.toContain(secret);
    expect(filter.text(masked)).toBe(masked);
    expect(filter.mask(masked)).toBe(masked);
  },
);

test('a secret that is told later is hidden from then on', () => {
  const late = new SecretFilter();
  expect(late.text('a plain-looking-value')).toBe('a plain-looking-value');
  late.know(['plain-looking-value', 'abc']);
  expect(late.text('a plain-looking-value abc')).toMatch(/^a \[redacted:secret#[0-9a-f]{4}\] abc$/);
});

test('of an event the texts are cleaned, also deep in an input; what must be exact is not', () => {
  const draft: EventDraft = {
    type: 'tool_call',
    id: KNOWN,
    name: 'bash',
    input: { command: `echo ${KNOWN}`, more: [{ [KNOWN]: 1, id: KNOWN }] },
    opaque: { provider: 'p', model: 'm', data: { signature: 'x' } },
  };
  const hides = placeholderOf('secret', KNOWN);
  expect(filter.draft(draft)).toEqual({
    ...draft,
    input: { command: `echo ${hides}`, more: [{ [hides]: 1, id: hides }] },
  });
  const state = { kind: 'link', target: KNOWN } as const;
  const exact: EventDraft = { type: 'checkpoint', id: '1', files: [{ path: KNOWN, state }] };
  expect(filter.draft(exact)).toBe(exact);
});

test('what a provider has signed goes back to it as it was, or to nobody', () => {
  const signed = (thinking: string) => ({ provider: 'p', model: 'm', data: { thinking, signature: 's' } });
  const clean: EventDraft = { type: 'reasoning', content: 'so', opaque: signed('so') };
  expect(filter.draft(clean)).toBe(clean);
  const dropped = { provider: '', model: '', data: null };
  const opaque = signed(`so ${KNOWN}`);
  for (const cleaned of [filter.draft.bind(filter), filter.leaving.bind(filter)]) {
    expect(cleaned({ type: 'reasoning', content: `so ${KNOWN}`, opaque })).toEqual({
      type: 'reasoning',
      content: `so ${placeholderOf('secret', KNOWN)}`,
      opaque: dropped,
    });
    expect(cleaned({ type: 'provider_block', opaque })).toEqual({ type: 'provider_block', opaque: dropped });
  }
});

test('an event without a secret is not copied', () => {
  const draft: EventDraft = { type: 'tool_result', id: '1', result: '{"content":"x"}', isError: false };
  expect(filter.draft(draft)).toBe(draft);
});

test('JSON stays JSON, and its other texts stay as they are', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\n', '\\', '"', '\\n', KNOWN, ...secrets.map(([, , secret]) => secret)),
  );
  const json = fc.array(fc.array(piece).map((pieces) => pieces.join('')));
  fc.assert(
    fc.property(json, (texts) => {
      const clean = JSON.parse(filter.text(JSON.stringify(texts))) as string[];
      expect(clean).toHaveLength(texts.length);
      for (const [index, text] of texts.entries()) {
        expect(clean[index]?.split('\n')).toHaveLength(text.split('\n').length);
        if (filter.text(text) === text && !text.includes('\\'))
          expect(filter.text(JSON.stringify(text))).toBe(JSON.stringify(text));
      }
    }),
  );
});

test.each([
  '\n',
  '"\\n',
  'token=',
  'jwt-',
  'a-name-with-many-hyphens-in-front-of-it-',
  'a?token%3D',
  '"\\u0022',
  '\x1b[31m',
  ' [1m',
])('a token is one behind %j', (before) => {
  for (const kind of ['jwt', 'github-token']) {
    const [, , token = ''] = secrets.find(([name]) => name === kind) ?? [];
    expect(filter.text(`${before}${token}`)).toBe(`${before}${placeholderOf(kind, token)}`);
  }
});

/** Begin and end by themselves, and have no line breaks. */
const tokens = secrets.filter(([, , secret], index) => index < 19 && !secret.includes('\n'));

describe('what only a code parts is hidden, each as it is', () => {
  const codes = ['\x1b[m\x1b[32m', '\x1b[20G', '\x1b[K', '\x1b(B', '\x1b]8;;\x07'];

  test.each(tokens)('%s behind %j', (kind, _before, secret) => {
    const other = secret.slice(0, -9) + [...secret.slice(-9)].reverse().join('');
    const placeholders = [placeholderOf(kind, secret), placeholderOf(kind, other)];
    for (const code of codes) {
      expect(filter.text(`name${code}${secret}${code}${other}${code} word`, true)).toBe(
        `name${code}${placeholders.join(code)}${code} word`,
      );
      const clean = filter.text(`${secret}${code}${other}${code}word`, true);
      expect(clean.startsWith(placeholders[0] ?? '-')).toBe(true);
      expect(clean).not.toContain(other.slice(-12));
    }
  });

  test('also one in which there are codes, beside another', () => {
    const [one, other] = [`ghp_${random(36)}`, `ghp_${[...random(36)].reverse().join('')}`];
    const parted = `${one.slice(0, 9)}\x1b[1m${one.slice(9)}`;
    const hides = placeholderOf('github-token', one) + placeholderOf('github-token', other);
    expect(filter.text(`x\x1b[20G${parted}\x1b[m${other}`)).toBe(`x${hides}`);
    expect(filter.text(`${other}\x1b[m${parted}`)).toBe(
      placeholderOf('github-token', other) + placeholderOf('github-token', one),
    );
  });

  test('and one in a title or a link', () => {
    const link = (address: string) => `\x1b]8;;https://${address}\x07here\x1b]8;;\x07`;
    expect(filter.text(link('me:geheim1234@host/'))).toBe(
      link(`me:${placeholderOf('url-password', 'geheim1234')}@host/`),
    );
  });
});

test.each(['eyJ', 'eyJ-', 'eyJ.'])('a run of beginnings (%s) is gone through once', (beginning) => {
  const text = beginning.repeat(1_000_000);
  expect(filter.text(text)).toBe(text);
});
