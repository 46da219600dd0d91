import { beforeEach, expect, it } from 'vitest';
import type * as vscode from 'vscode';
import { stripTerminalCodes } from '../../../../extension/core/base/text/terminal-codes.ts';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import type { Delta } from '../../../../extension/protocol/delta.ts';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import type { HostMessage } from '../../../../extension/protocol/messages.ts';
import { PanelChannel } from '../../../../extension/vscode/panel/panel-channel.ts';
import { storedEvents, text } from '../../../support/panel-events.ts';

let posted: HostMessage[];
let channel: PanelChannel;
const log = new LogWindow();

beforeEach(() => {
  posted = [];
  const webview = {
    onDidReceiveMessage: () => ({ dispose: () => {} }),
    postMessage: async (message: HostMessage) => posted.push(message) > 0,
  };
  // The channel uses no more of a view.
  const view = { visible: true, webview } as unknown as vscode.WebviewView;
  channel = new PanelChannel(
    view,
    () => log,
    () => {},
    () => {},
  );
});

const piece = (value: string): Delta => ({ type: 'text_delta', session: 'session-1', text: value });
const write = (...drafts: EventDraft[]) => channel.events(storedEvents(drafts));
/** Whatever is gathered goes before a message that is sent at once. */
const endFrame = () => channel.send({ type: 'input/focus' });

/** Each update in short: its events, then its deltas. */
function updates(): string[] {
  return posted.flatMap((message) => {
    if (message.type !== 'update') return [];
    const events = message.events.map((event) => event.type);
    const deltas = message.deltas.map((delta) => ('text' in delta ? delta.text : delta.type));
    return [[...events, ...deltas].join(' ')];
  });
}

it('sends one update for a frame, with the deltas joined', () => {
  channel.delta(piece('Hello'));
  channel.delta(piece(' there'));
  endFrame();
  expect(updates()).toEqual(['Hello there']);
});

it('leaves out the deltas of a block that is complete within the frame', () => {
  channel.delta(piece('Hello'));
  write(text('Hello'));
  write({ type: 'tool_started', id: 'call_1' });
  endFrame();
  expect(updates()).toEqual(['text tool_started']);
});

it('sends the rest of a block that the page shows growing, before the event that completes it', () => {
  channel.delta(piece('Hello'));
  endFrame();
  channel.delta(piece(' there'));
  write(text('Hello there'));
  endFrame();
  expect(updates()).toEqual(['Hello', ' there', 'text']);
});

it('keeps the deltas of another block before the events behind them', () => {
  channel.delta({
    type: 'tool_output_delta',
    session: 'session-1',
    id: 'call_1',
    stream: 'stdout',
    text: 'ok',
  });
  write(text('Hello'));
  channel.delta(piece('Next'));
  endFrame();
  expect(updates()).toEqual(['ok', 'text Next']);
});

const printed = (value: string, stream: 'stdout' | 'stderr' = 'stdout'): Delta => ({
  type: 'tool_output_delta',
  session: 'session-1',
  id: 'call_1',
  stream,
  text: value,
});

it('posts of a flood the newest of each frame', () => {
  const line = '\x1b[31mflood\x1b[0m\n';
  channel.delta(piece('Hello'));
  for (let index = 0; index < 1_000; index += 1) {
    channel.delta(printed(line.repeat(200)));
    channel.delta(printed(line.repeat(20), 'stderr'));
  }
  channel.delta(printed('end'));
  endFrame();
  const [update] = posted;
  if (update?.type !== 'update') throw new Error('There is no update.');
  const [first, ...outputs] = update.deltas.map((delta) => ('text' in delta ? delta.text : ''));
  expect(first).toBe('Hello');
  const output = outputs.join('');
  expect(output.length).toBeGreaterThan(63_900);
  expect(output.length).toBeLessThanOrEqual(64_000);
  // What is left of a code that was cut would be text.
  expect(stripTerminalCodes(output)).toMatch(/^[flood\n]+end$/);
});
