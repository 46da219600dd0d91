import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentContext } from '../../../extension/core/context/missing-context.ts';
import { Transcript } from '../../../extension/core/log/transcript.ts';
import { injectedContextIn } from '../../../extension/core/view/injected-context.ts';
import { LogAt } from '../../../extension/core/view/log-at.ts';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import { ledgerOf } from '../../../extension/core/view/usage-ledger.ts';
import type { EventDraft, SessionEvent } from '../../../extension/protocol/events.ts';
import { call, request, requestEnd, result, storedEvents, text } from '../../support/panel-events.ts';

const GOLDEN = join(import.meta.dirname, '../../scenario/golden');

async function goldenSessions(): Promise<SessionEvent[][]> {
  const names = await readdir(GOLDEN);
  const texts = await Promise.all(names.map((name) => readFile(join(GOLDEN, name), 'utf8')));
  return texts.map((lines) =>
    storedEvents(
      lines
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ),
  );
}

/** What the panel shows, the context and the cost of a session that is over after event `seq`. */
function stateOf(log: { readonly events: readonly SessionEvent[] }, sections: readonly unknown[]) {
  const transcript = new Transcript();
  for (const event of log.events) transcript.apply(event);
  return {
    sections,
    context: [...currentContext(transcript.messages())],
    messages: transcript.messages(),
    ledger: ledgerOf(log.events),
  };
}

function expectAsThen(events: readonly SessionEvent[], seq: number): void {
  const past = new LogAt(new LogWindow(events), seq);
  const then = new LogWindow(events.slice(0, seq));
  const sectionsOf = (log: Pick<LogWindow, 'section'>, count: number) =>
    Array.from({ length: count }, (_, index) => log.section(index));
  expect(past.head).toEqual(then.head);
  expect(past.last).toBe(then.lines.length - 1);
  expect(past.lastLines).toBe(then.lines.at(-1));
  expect(past.event).toBe(events[seq - 1]);
  expect(stateOf(past, sectionsOf(past, past.last + 2))).toEqual(
    stateOf(then, sectionsOf(then, past.last + 2)),
  );
}

test('at every event of the golden sessions, it is what the session was when that event was the newest', async () => {
  const sessions = await goldenSessions();
  expect(sessions.length).toBeGreaterThan(5);
  for (const events of sessions) for (const { seq } of events) expectAsThen(events, seq);
});

test('at every event, what the model had been told by then', async () => {
  for (const events of await goldenSessions())
    for (const { seq } of events) {
      const told = await injectedContextIn(new LogAt(new LogWindow(events), seq));
      const transcript = new Transcript();
      for (const event of events.slice(0, seq)) transcript.apply(event);
      expect(told.map(({ kind, text }) => [kind, text])).toEqual([...currentContext(transcript.messages())]);
    }
});

const turn = (number: number): EventDraft[] => [
  request(number),
  text('I look.'),
  { type: 'usage', inputTokens: number, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.1 },
  call(`c${number}`, 'read'),
  requestEnd(number),
  result(`c${number}`, {}),
];

test('at any event of any session, however long its runs', () => {
  const step = fc.constantFrom<EventDraft[]>(
    [{ type: 'user', content: 'Do it' }],
    [{ type: 'turn_started', turn: 1 }],
    [{ type: 'turn_ended', turn: 1, reason: 'done' }],
    ...Array.from({ length: 25 }, (_, index) => turn(index + 1)),
  );
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 60 }), fc.nat(), (steps, place) => {
      const events = storedEvents(steps.flat());
      expectAsThen(events, (place % events.length) + 1);
    }),
  );
});
