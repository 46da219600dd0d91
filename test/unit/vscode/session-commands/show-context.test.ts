import { expect, test } from 'vitest';
import { RequestPrefixes } from '../../../../extension/core/log/request-prefix.ts';
import { MemoryBlobStore } from '../../../../extension/core/ports/testing/memory-blob-store.ts';
import { LogAt } from '../../../../extension/core/view/log-at.ts';
import { LogWindow } from '../../../../extension/core/view/log-window.ts';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import type { WindowParts } from '../../../../extension/vscode/panel/panel-parts.ts';
import { showContextThen } from '../../../../extension/vscode/session-commands/show-context.ts';
import { requestEnd, storedEvents } from '../../../support/panel-events.ts';

const asked = (request: number, model: string, prefix?: string): EventDraft[] => [
  { type: 'request_started', request, provider: 'demo', model, ...(prefix && { prefix }) },
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

const blobs = new MemoryBlobStore();
const prefixes = new RequestPrefixes(
  { keep: (bytes) => void blobs.put(bytes) },
  { withoutSecrets: (one) => one },
);
const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
/** The first two with what they began with, then one whose blob is gone. */
const kept = new LogWindow(
  storedEvents([
    ...asked(1, 'first', prefixes.keep({ system: 'You are the first.', tools: [tool('read')] })),
    ...asked(2, 'second', prefixes.keep({ system: 'You are the second.', tools: [tool('patch')] })),
    ...asked(3, 'second', 'f'.repeat(64)),
  ]),
);

async function shownAt(seq: number, of = log) {
  const shown: string[] = [];
  const models: string[] = [];
  // As much of a window as is asked for.
  const parts = {
    sessions: { shown: { id: 'session-1' } },
    store: { blobs: () => blobs },
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
  await showContextThen(parts, new LogAt(of, seq));
  const [title, text = ''] = shown;
  return { title, text, models };
}

test('what is shown of the context at a point in time is what the model had been told by then, and which model', async () => {
  const first = await shownAt(4);
  expect(first.title).toBe('Injected Context at Event 4.txt');
  expect(first.text).toContain('demo/first\n\nThe system prompt and the tools are those with which a model');
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

test('before the first request no model is named, and it is said that nothing was asked', async () => {
  const { text, models } = await shownAt(2);
  expect(models).toEqual(['of now']);
  expect(text).toContain('No model had been asked yet.');
});

test('what a request began with is shown as it was, and nobody is asked for what it would be now', async () => {
  const [first, second] = [await shownAt(2, kept), await shownAt(3, kept)];
  expect(first.text).toMatch(/demo\/first\n\n-.*You are the first\..*Tool: read/s);
  expect(first.text).not.toMatch(/second|patch|would be asked/);
  expect(second.text).toMatch(/demo\/second\n\n-.*You are the second\..*Tool: patch/s);
  expect(second.text).not.toMatch(/first|would be asked/);
  expect([...first.models, ...second.models]).toEqual([]);
});

test('where that is kept no longer, it is shown as it would be now, and that is said', async () => {
  const { text, models } = await shownAt(6, kept);
  expect(text).toContain('those from that point are not stored.');
  expect(text).toContain('You are Harness.');
  expect(models).toEqual(['demo/second']);
});
