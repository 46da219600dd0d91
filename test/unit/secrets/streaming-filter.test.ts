import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { DeltaFilter } from '../../../extension/core/log/delta-filter.ts';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import { settledPrefixLength } from '../../../extension/core/secrets/streaming-boundary.ts';
import type { DeltaDraft } from '../../../extension/protocol/delta.ts';
import { harmless, secrets } from '../../support/secret-samples.ts';

const KNOWN = 'canary-known-secret-4711';
const filter = new SecretFilter([KNOWN]);

/** What a panel gets of a text that comes in `pieces`, before it is complete and then. */
function shown(pieces: readonly string[]): { readonly live: string; readonly end: string } {
  const live = new DeltaFilter(filter);
  const textOf = (delta: DeltaDraft | undefined) => (delta && 'text' in delta ? delta.text : '');
  const passed = pieces.map((text) => textOf(live.pass({ type: 'text_delta', text }))).join('');
  const rest = live
    .completed({ type: 'text', content: pieces.join('') })
    .map(textOf)
    .join('');
  return { live: passed, end: passed + rest };
}

test.each([...secrets.map(([, ...texts]) => texts.join('')), `say ${KNOWN} now`])(
  'character by character, of %j the same is shown as in the log',
  (text) => {
    expect(shown([...text]).end).toBe(filter.text(text));
    expect(filter.text(text).startsWith(shown([...text]).live)).toBe(true);
  },
);

test('in any pieces', () => {
  const texts = [...secrets.map(([, , secret]) => secret), KNOWN, ...harmless];
  const plan = fc.tuple(
    fc.shuffledSubarray(texts, { minLength: 1, maxLength: 4 }),
    fc.infiniteStream(fc.integer({ min: 1, max: 30 })),
  );
  fc.assert(
    fc.property(plan, ([chosen, lengths]) => {
      const text = chosen.join('\n ');
      const pieces: string[] = [];
      for (let at = 0; at < text.length; at += pieces.at(-1)?.length ?? 1)
        pieces.push(text.slice(at, at + Number(lengths.next().value)));
      expect(shown(pieces).end).toBe(filter.text(text));
    }),
  );
});

/** Takes the slow path for every text. */
class ThoroughFilter extends SecretFilter {
  override mayHold(): boolean {
    return true;
  }
}

test('the quick look changes no result: of parts of texts with secrets, cut anywhere, with words and codes between them', () => {
  const thorough = new ThoroughFilter([KNOWN]);
  const samples = [
    ...[...secrets.map((parts) => parts.slice(1).join('')), KNOWN, encodeURIComponent(KNOWN), ...harmless],
    ...['a', 'A', ' ', '\n', '/', 'x-', '_', 'é', '\\', '"', '\x1b[31m', '\x1b', '\x07', '~0a12'],
  ];
  const part = fc
    .tuple(
      fc.constantFrom(...samples),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 40 }),
    )
    .map(([text, at, length]) => text.slice(Math.floor(at * text.length)).slice(0, length));
  const sample = fc.oneof(part, fc.constantFrom(...samples), fc.string({ unit: 'binary', maxLength: 6 }));
  const texts = fc.array(sample, { maxLength: 6 });
  fc.assert(
    fc.property(texts, fc.boolean(), (pieces, isOutput) => {
      const text = pieces.join('');
      expect(settledPrefixLength(text, filter, isOutput)).toBe(settledPrefixLength(text, thorough, isOutput));
      expect(filter.text(text, isOutput)).toBe(thorough.text(text, isOutput));
      const [quick, slow] = [filter, thorough].map((secrets) => {
        const live = new DeltaFilter(secrets);
        return pieces.map((piece) => live.pass({ type: 'text_delta', text: piece }));
      });
      expect(quick?.map((delta) => delta ?? '')).toEqual(slow?.map((delta) => delta ?? ''));
    }),
    { numRuns: 1_000 },
  );
});

test('words are shown as they come', () => {
  const words = ['Compiling', ' the', ' parser', ' http', '://localhost:3000', '. Continue? [y/N]'];
  expect(shown(words).live).toBe(words.join(''));
});

test('streams do not mix, and a reply that does not count takes what waits with it', () => {
  const live = new DeltaFilter(filter);
  const output = (stream: 'stdout' | 'stderr', text: string) =>
    live.pass({ type: 'tool_output_delta', id: '1', stream, text });
  expect(output('stdout', 'canary-known')).toBeUndefined();
  expect(output('stderr', '-secret-4711')).toMatchObject({ text: '-secret-4711' });
  expect(output('stdout', '-secret-4711 kept')).toMatchObject({ text: filter.text(`${KNOWN} kept`) });
  live.pass({ type: 'text_delta', text: 'canary-k' });
  live.completed({ type: 'request_ended', request: 1, outcome: 'discarded', stop: 'server' });
  expect(live.pass({ type: 'text_delta', text: 'nown' })).toMatchObject({ text: 'nown' });
});

test('what waits when a command has ended is shown where the log says it too, and not where it was cut off there', () => {
  const live = new DeltaFilter(filter);
  const rest = (waiting: string, stdout: string) => {
    live.pass({ type: 'tool_output_delta', id: '1', stream: 'stdout', text: waiting });
    const result = JSON.stringify({ stdout });
    return live.completed({ type: 'tool_result', id: '1', result, isError: false });
  };
  expect(rest('canary-known', 'canary-known')).toMatchObject([{ text: 'canary-known' }]);
  expect(rest(KNOWN.slice(0, -1), '\n... (truncated)')).toEqual([]);
  const token = secrets[0]?.[2] ?? '';
  expect(rest(`"${token}`, `"${token}`)).toMatchObject([{ text: filter.text(token) }]);
});
