import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { call, request, requestEnd, result, storedEvents, text } from '../../support/panel-events.ts';

const prompt: EventDraft = { type: 'user', content: 'Do it' };
/** A request with one call, and what came of it. */
const turn = (number: number): EventDraft[] => [
  request(number),
  text('I look.'),
  call(`c${number}`, 'read'),
  requestEnd(number),
  result(`c${number}`, {}),
];
const turns = (count: number) => Array.from({ length: count }, (_, index) => turn(index + 1)).flat();
const sectionsOf = (log: LogWindow) => log.lines.map((_, index) => log.section(index));

test('a prompt begins a section, and a long run is cut at a request', () => {
  const log = new LogWindow(storedEvents([prompt, ...turns(25), prompt, ...turns(2)]));
  expect(sectionsOf(log).map((events) => events[0]?.type)).toEqual([
    'user',
    'request_started',
    'request_started',
    'user',
  ]);
  expect(log.sectionOf(1)).toBe(0);
  expect(log.sectionOf(log.events.length)).toBe(3);
});

test('what goes before the first prompt belongs to its section', () => {
  const log = new LogWindow(
    storedEvents([{ type: 'session_started', version: 1, cwd: '/', product: 'x' }, prompt]),
  );
  expect(sectionsOf(log).map((events) => events.length)).toEqual([2]);
});

test('whatever the order of events, the sections together are the log, and calls stay with their results', () => {
  const step = fc.constantFrom<EventDraft[]>([prompt], turn(1), [text('More.')], [requestEnd(1)]);
  fc.assert(
    fc.property(fc.array(step, { maxLength: 80 }), fc.integer({ min: 1, max: 7 }), (steps, chunk) => {
      const events = storedEvents(steps.flat());
      const log = new LogWindow();
      const starts: number[] = [];
      for (let at = 0; at < events.length; at += chunk) {
        const more = events.slice(at, at + chunk);
        log.apply(more);
        starts.push(...log.startsAmong(more));
      }
      expect(sectionsOf(log).flat()).toEqual(events);
      expect(sectionsOf(log).map((section) => section[0]?.seq)).toEqual(starts);
      expect(log.lines).toEqual(new LogWindow(events).lines);
      for (const section of sectionsOf(log)) {
        const calls = section.filter(({ type }) => type === 'tool_call').length;
        expect(section.filter(({ type }) => type === 'tool_result').length).toBe(calls);
      }
    }),
  );
});

test('the tail is the fewest sections that fill so many lines', () => {
  const log = new LogWindow(
    storedEvents(Array.from({ length: 10 }, () => [prompt, text('x\n'.repeat(9))]).flat()),
  );
  expect(log.tail(1)).toBe(9);
  expect(log.tail(30)).toBe(7);
  expect(log.tail(1e6)).toBe(0);
  expect(new LogWindow().tail(10)).toBe(-1);
  expect(log.sectionsFrom(9).map(({ type }) => type)).toEqual(['user', 'text']);
});

test('what comes after an event', () => {
  const log = new LogWindow(storedEvents([prompt, text('a'), text('b')]));
  expect(log.after(1).map(({ seq }) => seq)).toEqual([2, 3]);
  expect(log.after(3)).toEqual([]);
});
