import { expect, test } from 'vitest';
import { ClippedLog } from '../../../extension/core/view/clipped-log.ts';
import { LogWindow } from '../../../extension/core/view/log-window.ts';
import type { EventDraft } from '../../../extension/protocol/events.ts';
import { showContextThen } from '../../../extension/vscode/show-context.ts';
import type { WindowParts } from '../../../extension/vscode/window.ts';
import { requestEnd, storedEvents } from '../../support/panel-events.ts';

const asked = (request: number, model: string): EventDraft[] => [
  { type: 'request_started', request, provider: 'demo', model },
  requestEnd(request),
];
const told = (text: string): EventDraft => ({ type: 'context', kind: 'instructions', text });

const log = new LogWindow(
  storedEvents([
    { type: 'user', content: 'Do it' },
    told('Use tabs.'),
    ...asked(1, 'first'),
    { type: 'user', content: 'Go on' },
    told('Use spaces.'),
    ...asked(2, 'gone'),
  ]),
);

async function shownAt(seq: number) {
  const shown: string[] = [];
  const models: string[] = [];
  // As much of a window as is asked for.
  const parts = {
    sessions: { shown: { id: 'session-1' } },
    models: {
      inUse: async (_: string, model?: string) => {
        models.push(model ?? 'of now');
        if (model === 'demo/gone') throw new Error('it is set up no longer');
        return { system: 'You are Harness.', provider: { tools: [] } };
      },
    },
    tools: [],
    documents: { show: async (...texts: string[]) => void shown.push(...texts) },
  } as unknown as WindowParts;
  await showContextThen(parts, new ClippedLog(log, seq));
  const [title, text = ''] = shown;
  return { title, text, models };
}

test('what is shown of the context at a point in time is what the model had been told by then, and which model', async () => {
  const first = await shownAt(4);
  expect(first.title).toBe('Injected Context at Event 4.txt');
  expect(first.text).toContain('demo/first\n\nThe system prompt and the tools are those');
  expect(first.text).toContain('Use tabs.');
  expect(first.text).not.toContain('spaces');
  expect(first.models).toEqual(['demo/first']);
});

test('a model that is set up no longer is named, with what would be asked now', async () => {
  const { text, models } = await shownAt(8);
  expect(text).toContain('demo/gone');
  expect(text).toContain('Use spaces.');
  expect(text).toContain('You are Harness.');
  expect(models).toEqual(['demo/gone', 'of now']);
});

test('before the first request no model is named', async () => {
  expect((await shownAt(2)).models).toEqual(['of now']);
});
