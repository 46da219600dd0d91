import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import type { SentPrompt } from '../../../extension/protocol/composer-messages.ts';
import type { HostMessage, PanelState, WebviewMessage } from '../../../extension/protocol/messages.ts';
import { type MessageParts, PanelMessages } from '../../../extension/vscode/panel/panel-messages.ts';
import { TimeTravel } from '../../../extension/vscode/panel/time-travel.ts';
import { eventually, test } from './runner.ts';

const session = {
  shown: {
    id: 'now',
    log: new LogWindow(),
    end: undefined,
    live: [],
    subscribe: () => () => {},
    onDidChange: new vscode.EventEmitter<void>().event,
  },
  whole: async () => {},
  resolve: async (id?: string) => (id === undefined || id === session.shown.id ? {} : undefined),
};

/** What a panel that shows the session `now` does with a message of its page. `reason`: why a prompt should not be sent. */
async function receive(
  message: WebviewMessage,
  reason?: string,
  check = () => {},
): Promise<{ posted: HostMessage[]; submitted: string[] }> {
  const posted: HostMessage[] = [];
  const submitted: string[] = [];
  const webview = {
    onDidReceiveMessage: new vscode.EventEmitter<unknown>().event,
    postMessage: async (sent: HostMessage) => posted.push(sent) > 0,
  };
  // As much of a view as a panel uses.
  const view = { visible: true, webview } as unknown as vscode.WebviewView;
  const composer = {
    refusalOf: async () => {
      check();
      return reason && { reason, canInsist: true };
    },
    hold: () => () => {},
    draft: async (id: string) => {
      check();
      return { text: `Typed in ${id}`, attachments: [] };
    },
    send: async ({ text }: SentPrompt) => submitted.push(text),
    giveBack: ({ text }: SentPrompt) => posted.push({ type: 'input/insert', text }),
  };
  const owner = {
    travel: new TimeTravel(session.shown),
    // As much of a state as a snapshot needs.
    state: async () => ({ session: session.shown.id }) as PanelState,
    ready: (begun: Promise<void>) => begun,
    post: (sent: HostMessage) => posted.push(sent),
  };
  // As much of a window as these messages lead to.
  const parts = { sessions: session, composer, panel: owner, output: { warn: assert.fail } };
  const watch = { check: () => {}, noteMessage: () => {} };
  const panel = new PanelMessages(view, [message], parts as unknown as MessageParts, watch);
  await eventually('the message was worked off', () => posted.length + submitted.length > 0);
  panel.dispose();
  return { posted, submitted };
}

test('chat panel: a prompt goes to the session that is shown', async () => {
  assert.deepEqual(await receive({ type: 'prompt/submit', session: 'now', text: 'Hi' }), {
    posted: [],
    submitted: ['Hi'],
  });
});

test('chat panel: a prompt for a session that is shown no more goes back into the input', async () => {
  assert.deepEqual(await receive({ type: 'prompt/submit', session: 'gone', text: 'Hi' }), {
    posted: [{ type: 'input/insert', text: 'Hi' }],
    submitted: [],
  });
});

test('chat panel: a prompt that may not be meant like this goes back with the reason', async () => {
  const { posted, submitted } = await receive(
    { type: 'prompt/submit', session: 'now', text: '@no.ts' },
    'No.',
  );
  assert.deepEqual(submitted, []);
  assert.deepEqual(posted[0], {
    type: 'prompt/refused',
    text: '@no.ts',
    attachments: [],
    reason: 'No.',
    canInsist: true,
  });
});

test('chat panel: a prompt whose session is left while it is checked goes to no other session', async () => {
  const leave = () => {
    session.shown.id = 'another';
  };
  const { posted, submitted } = await receive(
    { type: 'prompt/submit', session: 'now', text: 'For this one' },
    undefined,
    leave,
  );
  session.shown.id = 'now';
  assert.deepEqual(submitted, []);
  assert.deepEqual(posted, [{ type: 'input/insert', text: 'For this one' }]);
});

test('chat panel: a draft stays with its session when another one is shown while it is read', async () => {
  const { posted } = await receive({ type: 'ready', session: '', lastSeq: 0 }, undefined, () => {
    session.shown.id = 'another';
  });
  session.shown.id = 'now';
  assert.deepEqual(
    posted.find(({ type }) => type === 'draft'),
    { type: 'draft', session: 'now', draft: { text: 'Typed in now', attachments: [] } },
  );
});
