import { expect, test } from 'vitest';
import { lastRequestIn } from '../../../extension/core/view/injected-context.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { requestEnd, storedEvents } from '../../support/panel-events.ts';

const run = (turn: number): EventDraft => ({ type: 'turn_started', turn });
const end = (turn: number): EventDraft => ({ type: 'turn_ended', turn, reason: 'done' });
const asked = (request: number): EventDraft[] => [
  { type: 'request_started', request, provider: 'p', model: 'm', prefix: `prefix ${request}` },
  requestEnd(request),
];
const log = storedEvents([
  { type: 'user', content: 'Do it' },
  run(1),
  ...asked(1),
  ...asked(2),
  end(1),
  run(2),
  ...asked(3),
  { type: 'compaction', summary: 'It is done.', through: 8 },
  end(2),
  { type: 'user', content: 'Go on' },
  run(3),
  ...asked(4),
]);

test('at each event it is the last request; one for a summary only until that is there', () => {
  const prefixes = log.map((_, index) => lastRequestIn(log.slice(0, index + 1))?.prefix?.at(-1) ?? '-');
  const types = log.map(({ type }) => type);
  expect(types.map((type, index) => `${type} ${prefixes[index]}`)).toEqual([
    'user -',
    'turn_started -',
    'request_started 1',
    'request_ended 1',
    'request_started 2',
    'request_ended 2',
    'turn_ended 2',
    'turn_started 2',
    'request_started 3',
    'request_ended 3',
    'compaction 2',
    'turn_ended 2',
    'user 2',
    'turn_started 2',
    'request_started 4',
    'request_ended 4',
  ]);
});
