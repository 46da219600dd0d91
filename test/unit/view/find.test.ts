import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Translate } from '../../../extension/core/view/call-outcome.ts';
import { piecesOf, type Span, spansOf } from '../../../extension/core/view/find.ts';
import { findInLog, type LogSearch } from '../../../extension/core/view/find-in-log.ts';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import { markdownChunks } from '../../../extension/core/view/markdown-chunks.ts';
import { conversationParts } from '../../../extension/core/view/parts.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import type { FindMatch, FindOptions } from '../../../extension/protocol/find-messages.ts';
import { findPattern } from '../../../extension/protocol/find-pattern.ts';
import {
  call,
  partsOf,
  request,
  requestEnd,
  result,
  sectionOf,
  storedEvents,
  text,
} from '../../support/panel-events.ts';

const plain: FindOptions = { matchCase: false, wholeWord: false, regex: false };
const translate: Translate = (message, ...values) => message.replace('{0}', String(values[0]));
const prompt = (content: string): EventDraft => ({ type: 'user', content });
const read = (source: string) => [...markdownChunks(source)].map((chunk) => chunk.text).join('');

/** What is found in a log of `drafts`. */
async function search(
  drafts: readonly EventDraft[],
  query: string,
  more: Partial<LogSearch & FindOptions> = {},
) {
  const log = new LogWindow(storedEvents(drafts));
  const pattern = findPattern(query, { ...plain, ...more });
  const matches: FindMatch[] = [];
  const end = await findInLog(log, 0, {
    search: (content) => (pattern ? spansOf(pattern, content) : []),
    batch: 60_000,
    translate,
    pause: async () => true,
    onSection: (_, found) => matches.push(...found),
    ...more,
  });
  return { matches, end, log };
}

test('everything that is shown is found, with the section, the part and the place of each match', async () => {
  const { matches } = await search(
    [
      prompt('A needle.'),
      request(1),
      { type: 'reasoning', content: 'needle?' },
      text('Some **bold nee**dle and `needle`'),
      call('c1', 'bash', { command: 'echo needle' }),
      requestEnd(1),
      result('c1', { stdout: 'nee\u001b[31mdle\u001b[0m', exitCode: 0 }),
      { type: 'plan', steps: [{ title: 'Find the needle', status: 'pending' }] },
      { type: 'error', message: 'No needle.', code: 'x', retryable: false },
      { type: 'notice', message: 'needle' },
      prompt('Again: needle'),
    ],
    'needle',
  );
  expect(
    matches.map(({ section, part, field, offset, length }) => [section, part, field, offset, length]),
  ).toEqual([
    [0, '1', 'text', 2, 6],
    [0, '1.1', 'text', 0, 6],
    [0, '1.2', 'text', 12, 8],
    [0, '1.2', 'text', 26, 6],
    [0, 'c1', 'input', 5, 6],
    [0, 'c1', 'result', 0, 6],
    [0, '8', 'text', 9, 6],
    [0, '9', 'text', 3, 6],
    [0, '10', 'text', 0, 6],
    [1, '11', 'text', 7, 6],
  ]);
});

test('the name and the outcome of a call are found as its card shows them', async () => {
  const log = [
    request(1),
    call('c1', 'bash', { command: 'npm test' }),
    call('c2', 'bash', { command: 'false' }),
    call('c3', 'write', { path: 'a' }),
    requestEnd(1),
    result('c1', { stdout: '', exitCode: 7 }),
    result('c2', { error: 'no' }, { isError: true }),
    {
      type: 'permission',
      id: 'c3',
      tool: 'write',
      risk: 'high',
      decision: 'deny',
      by: 'policy',
      rule: 'r',
      action: 'a',
    },
    result('c3', {}, { isError: true, end: 'denied' }),
  ] as const;
  const found = async (query: string) =>
    (await search(log, query)).matches.map(({ part, field }) => `${part} ${field}`);
  expect(await found('bash')).toEqual(['c1 name', 'c2 name']);
  expect(await found('exit 7')).toEqual(['c1 outcome']);
  expect(await found('failed')).toEqual(['c2 outcome']);
  expect(await found('denied by a rule')).toEqual(['c3 outcome']);
});

test('of a reply that was thrown away nothing is found', async () => {
  const { matches } = await search(
    [request(1), text('needle'), requestEnd(1, 'discarded'), request(2), text('needle'), requestEnd(2)],
    'needle',
  );
  expect(matches.map(({ part }) => part)).toEqual(['2.1']);
});

const step = fc.oneof(
  fc.constant<EventDraft[]>([{ type: 'turn_started', turn: 1 }]),
  fc
    .string({ unit: fc.constantFrom('a', 'b', 'A', ' ', '\n', 'ä', '.', '\\'), minLength: 1 })
    .map((said) => [prompt(said)]),
  fc
    .tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('completed', 'discarded', 'refused', 'cancelled'))
    .chain(([number, outcome]) =>
      fc
        .array(
          fc.oneof(
            fc.string({ unit: fc.constantFrom('a', 'b', ' ') }).map((said) => text(said)),
            fc.constant<EventDraft>({ type: 'reasoning', content: 'ab' }),
            fc.constant<EventDraft>({ type: 'plan', steps: [{ title: 'aba', status: 'pending' }] }),
            fc.integer({ min: 1, max: 3 }).map((id) => call(`c${id}`, 'bash', { command: 'ab' })),
          ),
        )
        .map((reply) => [request(number), ...reply, requestEnd(number, outcome as 'completed')]),
    ),
  fc.integer({ min: 1, max: 3 }).map((id) => [result(`c${id}`, { stdout: 'b ab' })]),
  fc.constant<EventDraft[]>([{ type: 'notice', message: 'aab' }]),
);

test('as many are found as in what is shown, put together', async () => {
  const asked = fc.string({
    unit: fc.constantFrom('a', 'b', 'A', 'ä', '.', '\\'),
    minLength: 1,
    maxLength: 3,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), asked, async (steps, query) => {
      const { matches, log } = await search(steps.flat(), query);
      const shown = log.lines
        .flatMap((_, index) => [...piecesOf(log.section(index), translate)].map((piece) => piece.text))
        .join('\0');
      const parts = shown.toLowerCase().split(query.toLowerCase());
      expect(matches.length).toBe(parts.length - 1);
      for (const { section, offset, length } of matches) {
        expect(section).toBeLessThan(log.lines.length);
        expect(offset).toBeGreaterThanOrEqual(0);
        expect(length).toBe(query.length);
      }
    }),
  );
});

test('parts have the names that they have in the panel', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const events = storedEvents(steps.flat());
      const inPanel = partsOf(sectionOf(...steps.flat())).map(({ id }) => id);
      expect(conversationParts(events).map(({ id }) => id)).toEqual(inPanel);
    }),
  );
});

test('markdown is searched as it is read, and each place leads back to its source', () => {
  expect(read('# A *big* `thing`')).toBe('A big thing ');
  expect(read('- [ ] one\n- **two**\n  and on')).toBe('one \ntwo and on ');
  expect(read('See [the `code`](src/a.ts:3 "title") or <https://a.b>.')).toBe(
    'See the code or https://a.b. ',
  );
  expect(read('snake_case and __init__ and `__init__` and 2 * 3 * 4, 5*6')).toBe(
    'snake_case and init and __init__ and 2 * 3 * 4, 5*6 ',
  );
  expect(read('| a | *b* |\n| --- | --- |\n| c | d |')).toContain(' b ');
  expect(read('```ts\nconst **a** = `b`;\n```\n\nAfter')).toBe('const **a** = `b`;\nAfter ');
  const source = 'One **two** three\n\n```\nfour\n```\n- [five](x)';
  for (const word of ['One', 'two', 'three', 'four', 'five']) {
    const [chunk] = markdownChunks(source);
    expect(source.slice(chunk?.sourceOf(chunk.text.indexOf(word))).startsWith(word), word).toBe(true);
  }
});

test('no text makes reading it slow', () => {
  for (const unit of [
    '`',
    '*',
    '_',
    '[',
    '](',
    '- ',
    '> ',
    '|',
    '<https:',
    '\\',
    '~',
    '#',
    '*a',
    '_a',
    '`a',
  ]) {
    expect(read(unit.repeat(50_000)).length, unit).toBeGreaterThanOrEqual(0);
  }
}, 30_000);

test('case counts only where it is asked for', () => {
  const found = (query: string, options: Partial<FindOptions> = {}) => {
    const pattern = findPattern(query, { ...plain, ...options });
    return pattern && spansOf(pattern, 'Foo foo FOO food\nfoo.bar a-b').length;
  };
  expect(found('foo')).toBe(5);
  expect(found('Foo')).toBe(5);
  expect(found('Foo', { matchCase: true })).toBe(1);
  expect(found('foo', { matchCase: true })).toBe(3);
  expect(found('foo', { wholeWord: true })).toBe(4);
  expect(found('.bar', { wholeWord: true })).toBe(1);
  expect(found('a-b', { wholeWord: true })).toBe(1);
  expect(found('fo{2}$', { regex: true })).toBe(0);
  expect(found('^foo', { regex: true })).toBe(2);
  expect(found('\\S+', { regex: true })).toBe(6);
  expect(found('x*', { regex: true })).toBe(0);
  expect(found('fo(', { regex: true })).toBeUndefined();
  expect(found('')).toBeUndefined();
});

test('a long session is searched a little at a time', async () => {
  const talk = Array.from({ length: 5_000 }, (_, index) => [
    prompt(`Prompt ${index}`),
    text('word '.repeat(100)),
  ]).flat();
  let together = 0;
  let most = 0;
  let pauses = 0;
  const { matches } = await search(talk, 'word', {
    search: (content) => {
      together += content.length;
      most = Math.max(most, together);
      return spansOf(/word/g, content);
    },
    pause: async () => {
      together = 0;
      pauses += 1;
      return true;
    },
  });
  expect(matches).toHaveLength(500_000);
  // 2.6 million characters, and 10,000 parts at 200 each.
  expect(pauses).toBeGreaterThan(70);
  expect(most).toBeLessThan(62_000);
});

test('a search that nobody waits for ends', async () => {
  const talk = Array.from({ length: 2_000 }, () => prompt('word '.repeat(100)));
  let left = 3;
  const { end, matches } = await search(talk, 'word', {
    pause: async () => {
      left -= 1;
      return left > 0;
    },
  });
  expect(end).toBe('cancelled');
  expect(matches.length).toBeLessThan(50_000);
});

test('a text that takes too long is tried in smaller pieces, and given up only where a short one does', async () => {
  const lines = Array.from({ length: 2_000 }, (_, index) => `line ${index} word`).join('\n');
  const shorterThan =
    (limit: number) =>
    (content: string): Span[] | undefined =>
      content.length > limit ? undefined : spansOf(/word/g, content);
  const { matches, end } = await search([prompt(lines)], 'word', { search: shorterThan(3_000) });
  expect(end).toBe('complete');
  expect(matches).toHaveLength(2_000);
  expect(matches.map(({ offset }) => lines.slice(offset, offset + 4)).every((word) => word === 'word')).toBe(
    true,
  );
  expect((await search([prompt(lines)], 'word', { search: shorterThan(10) })).end).toBe('slow');
});
