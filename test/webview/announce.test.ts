import { expect, test } from 'vitest';
import { announcementOf, joinAnnouncements } from '../../webview/state/announce.ts';
import { storedEvents, text } from '../support/panel-events.ts';

const said = (...drafts: Parameters<typeof storedEvents>[0]) =>
  storedEvents(drafts, 1)
    .map((event) => announcementOf(event as never))
    .filter((announcement) => announcement !== undefined);

test('the answer is heard, also where the run ends in the same moment', () => {
  const heard = said(text('The tests pass.'), { type: 'turn_ended', turn: 1, reason: 'done' });
  expect(joinAnnouncements(heard)).toEqual({ text: 'The tests pass.', urgent: false });
});

test('a question makes what came with it urgent', () => {
  const heard = said(text('I run it.'), {
    type: 'error',
    message: 'Overloaded.',
    code: 'overloaded',
    retryable: true,
  });
  expect(joinAnnouncements(heard)).toEqual({ text: 'I run it.\nOverloaded.', urgent: true });
});
