import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { emptyHead } from '../../extension/protocol/head.ts';
import type { PanelState } from '../../extension/protocol/messages.ts';
import { type Incoming, parseIncoming } from '../../webview/state/channel.ts';
import { emptyView, newestSection, type View } from '../../webview/state/parts.ts';
import { createSync } from '../../webview/state/sync.ts';
import { outlineOf, request, storedEvents, text } from '../support/panel-events.ts';

const state = { session: 'session-1' } as PanelState;
const words = (content: string): Delta => ({ type: 'text_delta', session: 'session-1', text: content });

function open(session = 'session-1', isReading = false) {
  const asked: [string, number][] = [];
  const heard: string[] = [];
  const panels: PanelState[] = [];
  let view: View = emptyView();
  const sync = createSync(
    {
      view: () => view,
      setPast: () => {},
      replace: (next) => {
        view = next;
      },
      change: (edit) => edit(view),
      setHead: () => {},
      setPanel: (panel) => panels.push(panel),
      countSnapshot: () => {},
    },
    {
      session,
      isReading,
      askHost: (name, lastSeq) => asked.push([name, lastSeq]),
      onEvent: ({ type }) => heard.push(type),
    },
  );
  return {
    asked,
    heard,
    panels,
    sync,
    outline: () => Object.values(view.sections).flatMap(outlineOf),
    view: () => view,
    snapshot: (drafts: EventDraft[], after = 0, newest = after + drafts.length, isEnd?: true) =>
      sync.receive({
        message: {
          type: 'snapshot',
          state,
          head: emptyHead,
          lines: after + drafts.length > 0 ? [1] : [],
          after,
          from: 0,
          starts: [1],
          events: storedEvents(drafts, after + 1),
          ...(isEnd && { isEnd }),
        },
        firstSeq: after + 1,
        lastSeq: newest,
      }),
    update: (drafts: EventDraft[], firstSeq: number, deltas: Delta[] = [], session = 'session-1') =>
      sync.receive({
        message: { type: 'update', events: storedEvents(drafts, firstSeq, session), deltas, starts: [] },
        firstSeq: drafts.length > 0 ? firstSeq : 0,
        lastSeq: drafts.length > 0 ? firstSeq + drafts.length - 1 : 0,
      }),
    /** Goes with a snapshot. */
    grown: (...deltas: Delta[]) =>
      sync.receive({
        message: { type: 'update', events: [], deltas, starts: [], isPast: true },
        firstSeq: 0,
        lastSeq: 0,
      }),
  };
}

test('a page asks for the session that it showed last', () => {
  const page = open('earlier');
  page.sync.requestMissing();
  expect(page.asked).toEqual([['earlier', 0]]);
});

test('updates follow the snapshot; live events are told, those of a snapshot are not', () => {
  const page = open();
  page.snapshot([text('one')]);
  page.update([text('two')], 2);
  expect(page.outline()).toEqual(['text one', 'text two']);
  expect(page.heard).toEqual(['text']);
});

test('a page that has no session yet shows none: what stands beside the log comes with it', () => {
  const page = open();
  page.sync.requestMissing();
  page.sync.receive({ message: { type: 'state', state }, firstSeq: 0, lastSeq: 0 });
  expect(page.panels).toEqual([]);
  page.snapshot([text('one')]);
  page.sync.receive({ message: { type: 'state', state }, firstSeq: 0, lastSeq: 0 });
  expect(page.panels).toEqual([state, state]);
});

test('what comes twice counts once', () => {
  const page = open();
  page.snapshot([text('one'), text('two')]);
  page.update([text('two'), text('three')], 2);
  expect(page.outline()).toEqual(['text one', 'text two', 'text three']);
});

test('after a gap nothing is drawn until the host has sent what is missing', () => {
  const page = open();
  page.snapshot([text('one')]);
  page.update([text('three')], 3);
  page.update([text('four')], 4, [words('lost')]);
  expect(page.asked).toEqual([['session-1', 1]]);
  expect(page.outline()).toEqual(['text one']);
  page.snapshot([text('two'), text('three'), text('four')], 1);
  page.update([text('five')], 5);
  expect(page.outline()).toEqual(['text one', 'text two', 'text three', 'text four', 'text five']);
});

test('events of types that this page does not know are no gap', () => {
  const page = open();
  page.snapshot([text('one')], 0, 3);
  page.update([text('four')], 4);
  expect(page.asked).toEqual([]);
  expect(page.outline()).toEqual(['text one', 'text four']);
});

test('a snapshot from the start replaces everything', () => {
  const page = open();
  page.snapshot([text('one')]);
  page.snapshot([text('other')]);
  expect(page.outline()).toEqual(['text other']);
});

test('what was growing is there all the time, and whole again with what the host sends after a snapshot', () => {
  const page = open();
  page.snapshot([request(1)]);
  page.update([], 0, [words('Hel')]);
  page.snapshot([], 1);
  expect(page.outline()).toEqual(['text Hel']);
  page.grown(words('Hello'));
  expect(page.outline()).toEqual(['text Hello']);
  page.update([], 0, [words(' you')]);
  page.snapshot([], 1);
  page.grown(words('Hello to you'));
  expect(page.outline()).toEqual(['text Hello to you']);
});

test('another session is asked for when the host shows it, and events of others are dropped', () => {
  const page = open();
  page.snapshot([text('one')]);
  page.update([text('stray')], 2, [], 'session-2');
  page.update([], 0, [{ type: 'text_delta', session: 'session-2', text: 'stray' }]);
  page.sync.receive({
    message: { type: 'state', state: { ...state, session: 'session-2' } },
    firstSeq: 0,
    lastSeq: 0,
  });
  expect(page.outline()).toEqual(['text one']);
  expect(page.asked).toEqual([['session-2', 0]]);
});

function parsed(data: unknown): Incoming {
  const incoming = parseIncoming(data);
  if (typeof incoming === 'string') throw new Error(incoming);
  return incoming;
}

test('a message is counted with the events that are not understood', () => {
  const [known] = storedEvents([text('one')], 7);
  const data = {
    type: 'update',
    events: [known, { type: 'from_the_future', seq: 8 }],
    deltas: [],
    starts: [],
  };
  expect(parsed(data)).toMatchObject({ firstSeq: 7, lastSeq: 8, message: { events: [known] } });
});

test.each([
  null,
  'text',
  {},
  { type: 'unknown' },
  { type: 'update', events: 'none', deltas: [], starts: [] },
  { type: 'update', events: [{ type: 'text', seq: 1 }], deltas: [], starts: [] },
  { type: 'update', events: [], deltas: [{ type: 'text_delta', text: 1 }], starts: [] },
  { type: 'snapshot', state: {}, after: 0, events: [] },
])('a message like %j is refused with a reason', (data) => {
  expect(parseIncoming(data)).toMatch(/^A message of the host was dropped: ./);
});

test('what a running command has printed is not doubled by a snapshot in the middle', () => {
  const page = open();
  const printed: Delta = {
    type: 'tool_output_delta',
    session: 'session-1',
    id: 'c',
    stream: 'stdout',
    text: 'one',
  };
  page.snapshot([
    request(1),
    { type: 'tool_call', id: 'c', name: 'bash', input: {} },
    { type: 'tool_started', id: 'c' },
  ]);
  page.update([], 4, [printed]);
  page.snapshot([], 3);
  page.grown(printed);
  expect(newestSection(page.view())?.calls.c?.output.text).toBe('one');
});

test('a section that was asked for is folded by itself; the newest never comes that way', () => {
  const page = open();
  const events = (...drafts: EventDraft[]) => storedEvents(drafts, 1);
  page.sync.receive({
    message: {
      type: 'snapshot',
      state,
      head: emptyHead,
      lines: [3, 3, 1],
      after: 0,
      from: 2,
      starts: [7],
      events: storedEvents([text('newest')], 7),
    },
    firstSeq: 7,
    lastSeq: 7,
  });
  const send = (index: number, session = 'session-1') =>
    page.sync.receive({
      message: { type: 'section', session, index, events: events(request(1), text(`section ${index}`)) },
      firstSeq: 1,
      lastSeq: 2,
    });
  send(0);
  send(1, 'another');
  send(2);
  expect(page.outline()).toEqual(['text section 0', 'text newest']);
  page.update([text('more')], 8);
  expect(page.outline()).toEqual(['text section 0', 'text newest', 'text more']);
});

test('an update that begins a section puts what follows into it', () => {
  const page = open();
  page.snapshot([text('one')]);
  page.sync.receive({
    message: {
      type: 'update',
      events: storedEvents([text('two'), { type: 'user', content: 'Next' }, text('three')], 2),
      deltas: [words('four')],
      starts: [3],
    },
    firstSeq: 2,
    lastSeq: 4,
  });
  expect(Object.values(page.view().sections).map(outlineOf)).toEqual([
    ['text one', 'text two'],
    ['user Next', 'text three', 'text four'],
  ]);
});

test('the end of a session is shown until all of it has come', () => {
  const page = open();
  page.snapshot([text('three')], 0, 3, true);
  expect(page.outline()).toEqual(['text three']);
  expect(page.view().isEnd).toBe(true);
  page.snapshot([text('one'), text('two'), text('three')]);
  expect(page.outline()).toEqual(['text one', 'text two', 'text three']);
  expect(page.view().isEnd).toBe(false);
});

test('a reader who was not at the end of a session has no use for its end', () => {
  const page = open('session-1', true);
  page.snapshot([text('three')], 0, 3, true);
  expect(page.outline()).toEqual([]);
  page.snapshot([text('one'), text('two'), text('three')]);
  expect(page.outline()).toEqual(['text one', 'text two', 'text three']);
  const other = open('session-2', true);
  other.snapshot([text('three')], 0, 3, true);
  expect(other.outline()).toEqual(['text three']);
});
