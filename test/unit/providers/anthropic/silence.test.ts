// Alone in its file: the SDK keeps the console that it finds first.
import { expect, test, vi } from 'vitest';
import { answering } from '../../../support/wire/fixtures.ts';
import { ask } from './support.ts';

test('What a server sends is not written to the console', async () => {
  const written = (['error', 'warn', 'log', 'info', 'debug'] as const).map((level) =>
    vi.spyOn(console, level),
  );
  const exchange = { status: 200, headers: {}, close: 'end' } as const;
  const bytes = new TextEncoder().encode('event: message_start\ndata: {"secret\n\n');
  expect(await ask({ fetch: answering(exchange, [bytes]) })).toMatchObject([{ type: 'error' }]);
  expect(written.flatMap(({ mock }) => mock.calls)).toEqual([]);
});
