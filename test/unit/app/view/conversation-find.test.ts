import { expect, test } from 'vitest';
import { ConversationFind } from '../../../../extension/app/view/conversation-find.ts';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import { createTimedSearch } from '../../../../extension/node/search/timed-search.ts';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import { type FindResults, MAX_MATCHES } from '../../../../extension/protocol/find-messages.ts';
import {
  type FoundMatches,
  nothingFound,
  withResults,
} from '../../../../webview/views/find/found-matches.ts';
import { request, requestEnd, storedEvents, text } from '../../../support/panel-events.ts';

const prompt = (content: string): EventDraft => ({ type: 'user', content });
const options = { matchCase: false, wholeWord: false, regex: false };

/** A log that is searched, and what its page holds of the newest search. */
function searched(drafts: readonly EventDraft[]) {
  const log = new LogWindow(storedEvents(drafts));
  const sent: FindResults[] = [];
  const find = new ConversationFind(
    () => log,
    (results) => sent.push(results),
    (message) => message,
    createTimedSearch,
  );
  let number = 0;
  return {
    sent,
    find,
    start(query: string, more: Partial<typeof options> = {}) {
      number += 1;
      find.start({
        type: 'find/start',
        session: 's',
        request: number,
        query,
        options: { ...options, ...more },
      });
    },
    grow(...more: EventDraft[]) {
      log.apply(storedEvents(more, log.events.length + 1));
      find.advance();
    },
    found: () =>
      sent.filter((results) => results.request === number).reduce<FoundMatches>(withResults, nothingFound),
  };
}

test('all of a short log at once', async () => {
  const { start, found, sent } = searched([prompt('needle'), text('needle, needle')]);
  start('needle');
  await expect.poll(() => found().isComplete).toBe(true);
  expect(found().total).toBe(3);
  expect(found().matches.map(({ part }) => part)).toEqual(['1', '0.1', '0.1']);
  expect(sent[0]).toMatchObject({ isComplete: false, total: 3 });
});

test('the newest search counts', async () => {
  const { start, found, sent } = searched(Array.from({ length: 3_000 }, () => prompt('needle '.repeat(20))));
  start('need');
  start('eed');
  start('nothing');
  await expect.poll(() => found().isComplete).toBe(true);
  expect(found().total).toBe(0);
  // Nothing of the first two came until a later one was over.
  start('needle');
  await expect.poll(() => found().isComplete).toBe(true);
  expect(sent.filter(({ isComplete }) => isComplete).map(({ request: of }) => of)).toEqual([3, 4]);
});

test('many are counted, and some of them sent', async () => {
  const { start, found } = searched(Array.from({ length: 3_000 }, () => prompt('needle '.repeat(20))));
  start('needle');
  await expect.poll(() => found().isComplete).toBe(true);
  expect(found().total).toBe(60_000);
  expect(found().matches).toHaveLength(MAX_MATCHES);
  expect(found().matches.map(({ section }) => section)).toEqual(
    Array.from({ length: MAX_MATCHES }, (_, index) => Math.floor(index / 20)),
  );
});

test('what comes later is found too, and what is thrown away is gone', async () => {
  const { start, grow, found } = searched([prompt('needle'), request(1)]);
  start('needle');
  await expect.poll(() => found().total).toBe(1);
  grow(text('A needle'));
  await expect.poll(() => found().total).toBe(2);
  grow(requestEnd(1, 'discarded'));
  await expect.poll(() => found().total).toBe(1);
  grow(prompt('needle'), request(2), text('needle'));
  await expect.poll(() => found().total).toBe(3);
  expect(found().matches.map(({ section, part }) => `${section} ${part}`)).toEqual(['0 1', '1 5', '1 2.1']);
});

test('an expression that is none, or takes for ever, is told', async () => {
  const { start, found } = searched([prompt(`${'a'.repeat(60)}!`)]);
  start('a(', { regex: true });
  expect(found().error).toBe('invalid');
  start('(a+)+$', { regex: true });
  await expect.poll(() => found().error).toBe('slow');
  start('a!', { regex: true });
  await expect.poll(() => found()).toMatchObject({ total: 1, isComplete: true, error: undefined });
});
