// What the page does with what is typed: the host is told, and what another panel has typed is taken over.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Draft, emptyDraft, type Typed } from '../../extension/protocol/draft-messages.ts';
import type { WebviewMessage } from '../../extension/protocol/messages.ts';
import { createDrafting } from '../../webview/state/drafting.ts';
import { createMemory } from '../../webview/state/persist.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const typed = (text: string): Draft => ({ text, attachments: [] });
const image = { name: `attachments/${'a'.repeat(64)}.png`, title: 'a.png', bytes: 1, thumbnail: '' };

/** A page that shows session `a`; `saved` is what it has kept itself. */
function open(saved?: unknown, isReadOnly = () => false) {
  const posted: Extract<WebviewMessage, { type: 'draft/save' }>[] = [];
  const added: Extract<WebviewMessage, { type: 'draft/add' }>[] = [];
  const memory = createMemory({ readSaved: () => saved, save: () => {} });
  let shown: Typed = memory.saved.draft.editing ?? memory.saved.draft;
  const show = (next: Typed) => {
    shown = { text: next.text, attachments: next.attachments };
  };
  const page = {
    load: show,
    replace: show,
    isReadOnly,
    post: (message: (typeof posted)[number] | (typeof added)[number]) =>
      message.type === 'draft/save' ? posted.push(message) : added.push(message),
  };
  const drafting = createDrafting(memory, page);
  return {
    drafting,
    memory,
    type(text: string) {
      show({ ...shown, text });
      drafting.type({ text });
    },
    told: (draft: Draft, session = 'a') => drafting.handle({ type: 'draft', session, draft }),
    shown: () => shown.text,
    images: () => shown.attachments.map(({ title }) => title),
    /** What the host is told, by session. */
    posted: () => posted.splice(0).map(({ session, draft }) => [session, draft.text]),
    /** What the host is to put behind what it keeps, by session. */
    added: () => added.splice(0).map(({ session, typed: { text } }) => [session, text]),
    acknowledge: (request = posted.at(-1)?.request ?? 0) =>
      drafting.handle({ type: 'draft/kept', session: memory.saved.session, request }),
  };
}

/** One that the host has told what it keeps. */
function opened(draft: Draft = emptyDraft) {
  const page = open();
  page.drafting.turnTo('a', false);
  page.told(draft);
  return page;
}

test('changes are gathered, and told at once where the page may be left; no timer stays', () => {
  const page = opened();
  page.type('a');
  page.type('ab');
  expect(page.posted()).toEqual([]);
  vi.runAllTimers();
  expect(page.posted()).toEqual([['a', 'ab']]);
  page.type('abc');
  page.drafting.flush();
  expect(page.posted()).toEqual([['a', 'abc']]);
  page.drafting.flush();
  page.memory.flush();
  expect(vi.getTimerCount()).toBe(0);
  vi.runAllTimers();
  expect(page.posted()).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('what another panel has typed is taken over, unless something was typed here', () => {
  const page = opened(typed('there'));
  expect(page.shown()).toBe('there');
  page.told({ text: 'there and', attachments: [image] });
  expect([page.shown(), page.images()]).toEqual(['there and', ['a.png']]);
  page.type('here');
  page.told(typed('there and more'));
  expect(page.shown()).toBe('here');
  vi.runAllTimers();
  expect(page.posted()).toEqual([['a', 'here']]);
});

test('what the host does not know yet is not given up: only its word that it keeps the newest counts', () => {
  const page = opened();
  page.type('a');
  page.drafting.flush();
  page.type('ab');
  page.acknowledge();
  page.told(typed('other'));
  expect(page.shown()).toBe('ab');
  vi.runAllTimers();
  page.acknowledge();
  expect(page.memory.saved.isKept).toBe(true);
  page.told(typed('other'));
  expect(page.shown()).toBe('other');
});

test('after a reload, what the page has and the host has not wins; what was sent elsewhere does not come back', () => {
  const saved = { session: 'a', draft: typed('abc'), reading: null, expanded: {} };
  const behind = open({ ...saved, isKept: false });
  behind.told(typed('ab'));
  expect(behind.shown()).toBe('abc');
  vi.runAllTimers();
  expect(behind.posted()).toEqual([['a', 'abc']]);
  const sent = open({ ...saved, isKept: true });
  sent.told(emptyDraft);
  expect(sent.shown()).toBe('');
  expect(sent.posted()).toEqual([]);
});

test('a session that is left keeps its draft, and the next one shows its own', () => {
  const page = opened();
  page.type('for a');
  page.drafting.turnTo('b', false);
  expect(page.posted()).toEqual([['a', 'for a']]);
  expect(page.shown()).toBe('');
  page.told(typed('too late'), 'a');
  page.told(typed('for b'), 'b');
  expect(page.shown()).toBe('for b');
  vi.runAllTimers();
  expect(page.posted()).toEqual([]);
});

test('what is typed before the host has said what it keeps comes behind that', () => {
  const fresh = open();
  fresh.type('and this');
  fresh.drafting.turnTo('a', false);
  expect(fresh.shown()).toBe('and this');
  vi.runAllTimers();
  expect(fresh.posted()).toEqual([]);
  fresh.told(typed('that'));
  expect(fresh.shown()).toBe('that\nand this');
  vi.runAllTimers();
  expect(fresh.posted()).toEqual([['a', 'that\nand this']]);
});

test('what is typed before any session is shown is for that one, not for the one that the page remembers', () => {
  const saved = { session: 'left', draft: emptyDraft, isKept: true, reading: null, expanded: {} };
  const page = open(saved);
  page.type('and this');
  page.drafting.turnTo('a', false);
  expect(page.shown()).toBe('and this');
  page.told(typed('that'));
  expect(page.shown()).toBe('that\nand this');
  vi.runAllTimers();
  expect(page.posted()).toEqual([['a', 'that\nand this']]);
  expect(page.added()).toEqual([]);
});

test('a draft that the host has not got stays with the session that the page remembers', () => {
  const page = open({ session: 'left', draft: typed('of it'), isKept: false, reading: null, expanded: {} });
  page.type('of it, too');
  page.drafting.turnTo('a', false);
  expect(page.shown()).toBe('');
  expect(page.posted()).toEqual([['left', 'of it, too']]);
});

test('what is typed in a session that is left before the host has said what it keeps comes behind that, too', () => {
  const page = opened();
  page.drafting.turnTo('b', false);
  page.type('and this');
  page.drafting.turnTo('c', false);
  expect(page.posted()).toEqual([]);
  expect(page.added()).toEqual([['b', 'and this']]);
  expect(page.shown()).toBe('');
});

test('what is typed while a session begins goes on in it, and is no draft of the next one', () => {
  const page = open();
  page.told(emptyDraft, '');
  page.type('The first prompt');
  page.drafting.flush();
  page.type('');
  page.drafting.sent();
  page.type('then');
  page.drafting.flush();
  page.posted();
  page.drafting.turnTo('a', true);
  page.told(emptyDraft);
  expect(page.shown()).toBe('then');
  vi.runAllTimers();
  expect(page.posted()).toEqual([
    ['', ''],
    ['a', 'then'],
  ]);
});

test('of a prompt that was sent nothing more is told: the host takes it out of the draft itself', () => {
  const page = opened();
  page.type('a prompt');
  page.type('');
  page.drafting.sent();
  vi.runAllTimers();
  expect(page.posted()).toEqual([]);
  expect(page.memory.saved).toMatchObject({ draft: emptyDraft, isKept: true });
});

test('an earlier prompt stands in the input with its images, and the draft with its own comes back', () => {
  const page = opened({ text: 'draft', attachments: [image] });
  const other = { ...image, name: `attachments/${'b'.repeat(64)}.png`, title: 'b.png' };
  page.drafting.edit(3, { text: 'earlier', attachments: [other] });
  page.type('earlier, better');
  expect([page.shown(), page.images(), page.drafting.before()]).toEqual(['earlier, better', ['b.png'], 3]);
  page.drafting.flush();
  expect(page.posted()).toEqual([['a', 'draft']]);
  expect(page.memory.saved.draft.editing).toMatchObject({ before: 3, text: 'earlier, better' });
  page.drafting.turnTo('b', false);
  expect(page.drafting.before()).toBeUndefined();
  page.drafting.turnTo('a', false);
  page.told({ text: 'draft', attachments: [image], editing: { before: 3, text: 'x', attachments: [] } });
  expect([page.shown(), page.drafting.before()]).toEqual(['x', 3]);
  expect(page.drafting.endEdit()).toBe(true);
  expect([page.shown(), page.images(), page.drafting.before()]).toEqual(['draft', ['a.png'], undefined]);
  expect(page.drafting.endEdit()).toBe(false);
});

test('in a session that another window writes, nothing is ended and nothing told', () => {
  const page = open(undefined, () => true);
  page.drafting.turnTo('a', false);
  const editing = { before: 3, text: 'earlier', attachments: [] };
  page.told({ ...typed('draft'), editing });
  expect(page.drafting.endEdit()).toBe(false);
  expect(page.shown()).toBe('earlier');
  page.type('x');
  vi.runAllTimers();
  expect(page.posted()).toEqual([]);
});
