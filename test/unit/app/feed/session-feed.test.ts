import { expect, test } from 'vitest';
import { type FeedFilter, SessionFeed } from '../../../../extension/app/feed/session-feed.ts';
import { inEnglish } from '../../../../extension/core/ports/localization.ts';
import { storedEvents } from '../../../support/panel-events.ts';

const events = storedEvents([{ type: 'user', content: 'Do it' }]);

test('a view gets what happens in the session that it shows, and a recording with the same id is another', () => {
  const feed = new SessionFeed(inEnglish);
  const [session, recording] = [{ id: 'a' }, { id: 'a' }];
  const filter: FeedFilter = { source: session };
  const seen: string[] = [];
  feed.subscribe({ onEvents: () => seen.push('view'), onDelta: ({ type }) => seen.push(type) }, filter);
  feed.subscribe({ onEvents: () => seen.push('all') });
  feed.events(session, events);
  feed.events(recording, events);
  filter.source = recording;
  feed.delta(session, { type: 'reasoning_delta', text: 'Hm', session: 'a' });
  feed.delta(recording, { type: 'text_delta', text: 'Yes', session: 'a' });
  expect(seen).toEqual(['view', 'all', 'all', 'text_delta']);
});

test('a view that shows nothing gets nothing, and one that has left neither', () => {
  const feed = new SessionFeed(inEnglish);
  const seen: string[] = [];
  feed.subscribe({ onEvents: () => seen.push('nothing is shown') }, { source: undefined });
  const leave = feed.subscribe({ onEvents: () => seen.push('left') });
  leave();
  feed.events({ id: 'a' }, events);
  expect(seen).toEqual([]);
});
