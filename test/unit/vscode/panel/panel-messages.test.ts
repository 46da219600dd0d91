import { expect, test } from 'vitest';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import { type Draft, emptyDraft } from '../../../../extension/protocol/draft-messages.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../../../../extension/protocol/messages.ts';
import type { PanelHolder } from '../../../../extension/vscode/panel/panel-channel.ts';
import { type MessageParts, PanelMessages } from '../../../../extension/vscode/panel/panel-messages.ts';
import { defaultState } from '../../../support/panel-page.ts';

const sessions = {
  shown: {
    id: 'session-1',
    log: new LogWindow(),
    end: undefined,
    live: [],
    subscribe: () => () => {},
    onDidChange: () => ({ dispose() {} }),
  },
  whole: async () => {},
  resolve: async () => ({}),
};
const watch = { check() {}, noteMessage() {} };
const before: PanelState = { ...defaultState, queue: [{ id: 'a', text: 'Waits', state: 'waiting' }] };

/** A panel whose states and drafts are read one by one; `posted` are the states that its page is given, `said` all messages. */
function open() {
  const posted: PanelState[] = [];
  const said: HostMessage[] = [];
  const states: ((state: PanelState) => void)[] = [];
  const drafts: (() => void)[] = [];
  let kept = emptyDraft;
  let hear = (_: WebviewMessage) => {};
  const webview = {
    onDidReceiveMessage(listener: typeof hear) {
      hear = listener;
      return { dispose() {} };
    },
    async postMessage(message: HostMessage) {
      said.push(message);
      if ('state' in message) posted.push(message.state);
      return true;
    },
  };
  const owner = {
    travel: { past: undefined, log: new LogWindow(), onDidMove: () => ({ dispose() {} }) },
    state: () => new Promise<PanelState>((resolve) => states.push(resolve)),
    ready: (begun: Promise<void>) => begun,
  };
  const composer = {
    draft() {
      const read = kept;
      return new Promise<Draft>((resolve) => drafts.push(() => resolve(read)));
    },
    async keepDraft(_: string, draft: Draft) {
      kept = draft;
      return true;
    },
  };
  const parts = { sessions, composer, panel: owner, output: {} } as unknown as MessageParts;
  // As much of a view and of the parts as these messages lead to.
  const view = { visible: true, webview } as unknown as PanelHolder;
  const early = [{ type: 'ready', session: '', lastSeq: 0 }];
  const panel = new PanelMessages(view, early, parts, watch);
  return { panel, posted, said, states, drafts, hear };
}

test('what a page is given when it begins is not older than what it has heard before', async () => {
  const { panel, posted, states, drafts } = open();
  const refreshed = panel.content.refresh();
  states[0]?.(before);
  states[1]?.(defaultState);
  await refreshed;
  await expect.poll(() => drafts.length).toBe(1);
  drafts[0]?.();
  await expect.poll(() => posted.length).toBe(2);
  expect(posted.map(({ queue }) => queue)).toEqual([[], []]);
});

test('the draft that a page is given when it begins is not older than what it was told is kept', async () => {
  const { said, states, drafts, hear } = open();
  const typed: Draft = { text: 'typed meanwhile', attachments: [] };
  hear({ type: 'draft/save', session: 'session-1', request: 1, draft: typed });
  await expect.poll(() => said.map(({ type }) => type)).toEqual(['draft/kept']);
  states[0]?.(defaultState);
  await expect.poll(() => drafts.length).toBe(1);
  drafts[0]?.();
  await expect.poll(() => said.at(-1)).toEqual({ type: 'draft', session: 'session-1', draft: typed });
});

test('of two changes the newer one is shown, whichever is read first', async () => {
  const { panel, posted, states } = open();
  const both = [panel.content.refresh(), panel.content.refresh()];
  states[2]?.(defaultState);
  await both[1];
  states[1]?.(before);
  await both[0];
  expect(posted.map(({ queue }) => queue)).toEqual([[], []]);
});
