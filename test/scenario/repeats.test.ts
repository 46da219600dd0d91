import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';

const failing = (request: number) => calls(request, ['read', { path: 'missing.txt' }]);

test('a model that repeats a failing call is told, and then stopped', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(...Array.from({ length: 8 }, (_, index) => failing(index + 1)));
  expect(await session.prompt('Read it', settings(model))).toBe('error');
  expect(model.turns).toHaveLength(6);
  const told = JSON.stringify(model.turns[3]?.messages.at(-1));
  expect(told).toContain('You have called read 3 times in the same way');
  expect(JSON.stringify(model.turns[2]?.messages)).not.toContain('You have called');
  expect(session.events.filter(({ type }) => type === 'error')).toMatchObject([
    { code: 'repeated_call', retryable: true },
  ]);
  expectWellFormed(session.events);
});

test('a call between, or one that succeeds, is no repetition', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'one\n');
  const read = (request: number) => calls(request, ['read', { path: 'a.txt' }]);
  const replies = [failing(1), failing(2), ...[3, 4, 5].map(read), failing(6), failing(7), says('Done.')];
  const model = new ScriptedModel(...replies);
  expect(await session.prompt('Read it', settings(model))).toBe('done');
  expect(JSON.stringify(model.turns)).not.toContain('You have called');
});
