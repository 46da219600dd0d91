import { expect, test } from 'vitest';
import { LogAt } from '../../../../extension/core/view/log-at.ts';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import { emptyDraft } from '../../../../extension/protocol/draft-messages.ts';
import type { HostMessage } from '../../../../extension/protocol/messages.ts';
import { type PageSources, PanelContent } from '../../../../extension/vscode/panel/panel-content.ts';
import { request, requestEnd, storedEvents, text } from '../../../support/panel-events.ts';
import { defaultState } from '../../../support/panel-page.ts';

/** A page of a panel that shows `log`; `turn` is as if it showed something else. */
function open(log: LogWindow, past: LogAt | undefined, state: PageSources['state']) {
  const said: HostMessage[] = [];
  const warned: string[] = [];
  let turn = () => {};
  const content = new PanelContent({
    view: { visible: true },
    channel: { send: (message) => said.push(message), events() {}, delta() {} },
    sessions: {
      shown: {
        id: 'session-1',
        log,
        end: undefined,
        live: [],
        subscribe: () => () => {},
        onDidChange(listener: () => void) {
          turn = listener;
          return { dispose() {} };
        },
      },
      whole: async () => {},
    },
    // As much of it as a page asks for.
    sources: {
      travel: {
        past,
        log: past ?? log,
        onDidMove: () => ({ dispose() {} }),
      } as unknown as PageSources['travel'],
      state,
      draft: async () => emptyDraft,
      warn: (message) => warned.push(message),
    },
    watch: { check() {} },
    translate: (message) => message,
  });
  return { content, said, warned, turn: () => turn() };
}

test('a section that is asked for just before the panel goes back in time is whole', async () => {
  const log = new LogWindow(
    storedEvents([{ type: 'user', content: 'Do it' }, request(1), text('I look.'), requestEnd(1)]),
  );
  const { content, said } = open(log, new LogAt(log, 2), async () => defaultState);
  await content.section({ type: 'section/get', session: 'session-1', index: 0 });
  expect(said).toMatchObject([{ type: 'section', events: log.section(0) }]);
});

test('what a session had cost at a point in time is what is told there, and all of it now', () => {
  const usage = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, cost: 0.5 };
  const asked = (number: number) => [request(number), { type: 'usage', ...usage } as const];
  const log = new LogWindow(storedEvents([{ type: 'user', content: 'Do it' }, ...asked(1), ...asked(2)]));
  for (const [past, cost] of [
    [new LogAt(log, 3), 0.5],
    [undefined, 1],
  ] as const) {
    const { content, said } = open(log, past, async () => defaultState);
    content.cost('session-1');
    expect(said).toMatchObject([{ type: 'cost', ledger: { models: [{ cost }] } }]);
  }
});

test('where a page cannot be shown something, it is written down why', async () => {
  const { warned, turn } = open(new LogWindow(), undefined, () => Promise.reject(new Error('no settings')));
  turn();
  await expect.poll(() => warned.join()).toContain('no settings');
});
