import { expect, test } from 'vitest';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import { type Draft, emptyDraft } from '../../../extension/protocol/draft-messages.ts';
import type { HostMessage, PanelState } from '../../../extension/protocol/messages.ts';
import { ChatPanel, type PanelActions } from '../../../extension/vscode/chat-panel.ts';
import type { PanelHolder } from '../../../extension/vscode/panel-channel.ts';
import { defaultState } from '../../support/panel-page.ts';

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
  cancel() {},
  continue: async () => {},
  retryNow() {},
};
const watch = { check() {}, heard() {} };
const before: PanelState = { ...defaultState, queue: [{ id: 'a', text: 'Waits', state: 'waiting' }] };

/** A panel whose states and drafts are read one by one; `posted` are those that its page is given. */
function open() {
  const posted: PanelState[] = [];
  const states: ((state: PanelState) => void)[] = [];
  const drafts: ((draft: Draft) => void)[] = [];
  const webview = {
    onDidReceiveMessage: () => ({ dispose() {} }),
    postMessage: async (message: HostMessage) => 'state' in message && posted.push(message.state) > 0,
  };
  const actions = {
    state: () => new Promise<PanelState>((resolve) => states.push(resolve)),
    draft: () => new Promise<Draft>((resolve) => drafts.push(resolve)),
    ready() {},
  };
  // As much of a view and of the actions as these messages lead to.
  const view = { visible: true, webview } as unknown as PanelHolder;
  const early = [{ type: 'ready', session: '', lastSeq: 0 }];
  const panel = new ChatPanel(view, early, sessions, actions as unknown as PanelActions, watch);
  return { panel, posted, states, drafts };
}

test('what a page is given when it begins is not older than what it has heard before', async () => {
  const { panel, posted, states, drafts } = open();
  const refreshed = panel.refresh();
  states[0]?.(before);
  states[1]?.(defaultState);
  await refreshed;
  drafts[0]?.(emptyDraft);
  await expect.poll(() => posted.length).toBe(2);
  expect(posted.map(({ queue }) => queue)).toEqual([[], []]);
});

test('of two changes the newer one is shown, whichever is read first', async () => {
  const { panel, posted, states } = open();
  const both = [panel.refresh(), panel.refresh()];
  states[2]?.(defaultState);
  await both[1];
  states[1]?.(before);
  await both[0];
  expect(posted.map(({ queue }) => queue)).toEqual([[], []]);
});
