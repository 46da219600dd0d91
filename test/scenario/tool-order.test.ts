// Which calls of one reply run together, and which no longer run.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, golden, type Scenario, says, scenario } from '../support/scenario.ts';

const results = ({ session }: Pick<Scenario, 'session'>) =>
  session.events.filter((event) => event.type === 'tool_result');
const endsOf = (place: Pick<Scenario, 'session'>) => results(place).map(({ isError, end }) => end ?? isError);

test('neighbors that only read run together, and a missing file does not take the others with it', async () => {
  const place = await scenario();
  await writeFile(join(place.root, 'a.txt'), 'one\n');
  await writeFile(join(place.root, 'b.txt'), 'two\n');
  const wanted = ['a.txt', 'missing.txt', 'b.txt'].map((path) => ['read', { path }] as const);
  const model = new ScriptedModel(calls(1, ...wanted), says('Seen.'));
  await place.session.prompt('Look', place.settings(model));
  expect(endsOf(place)).toEqual([false, true, false]);
  expect(results(place).map(({ id }) => id)).toEqual(['call_1', 'call_2', 'call_3']);
  const types = place.session.events.map(({ type }) => type);
  expect(types.lastIndexOf('tool_started')).toBeLessThan(types.indexOf('tool_result'));
  expectWellFormed(place.session.events);
  await expect(golden(place.session.events, place.root)).toMatchFileSnapshot('./golden/reads-together.jsonl');
});

test('a call that fails stops later changes, and what only reads still runs', async () => {
  const place = await scenario({ readsFirst: true });
  await writeFile(join(place.root, 'a.txt'), 'one\n');
  const model = new ScriptedModel(
    calls(
      1,
      ['edit', { path: 'a.txt', old_string: 'none', new_string: 'x' }],
      ['write', { path: 'b.txt', content: 'x' }],
      ['read', { path: 'a.txt' }],
      ['bash', { command: 'touch c.txt' }],
    ),
    says('I see.'),
  );
  await place.session.prompt('Change it', place.settings(model));
  expect(endsOf(place)).toEqual([true, 'skipped', false, 'skipped']);
  expect(JSON.parse(results(place)[1]?.result ?? '')).toEqual({
    error: 'skipped: edit before it failed',
    code: 'skipped',
  });
  expect(place.asked).toHaveLength(0);
  expectWellFormed(place.session.events);
  await expect(golden(place.session.events, place.root)).toMatchFileSnapshot('./golden/failed-edit.jsonl');
});

test('a read that fails stops later changes too, because they may build on it', async () => {
  const place = await scenario();
  const model = new ScriptedModel(
    calls(1, ['read', { path: 'none' }], ['write', { path: 'b.txt', content: 'x' }]),
    says('I see.'),
  );
  await place.session.prompt('Change it', place.settings(model));
  expect(endsOf(place)).toEqual([true, 'skipped']);
});

test('a denial stops later changes, and what only reads still runs', async () => {
  const place = await scenario({ answer: () => ({ decision: 'deny' }) });
  await writeFile(join(place.root, 'a.txt'), 'one\n');
  const model = new ScriptedModel(
    calls(
      1,
      ['write', { path: 'a.txt', content: 'x' }],
      ['read', { path: 'a.txt' }],
      ['write', { path: 'b.txt', content: 'x' }],
    ),
    says('All right.'),
  );
  await place.session.prompt('Change it', place.settings(model));
  expect(endsOf(place)).toEqual(['denied', false, 'skipped']);
  expect(place.asked).toHaveLength(1);
  expect(await readFile(join(place.root, 'a.txt'), 'utf8')).toBe('one\n');
});

test('a stop while calls run together ends them, and every call is answered', async () => {
  const place = await scenario({ mode: 'bypass' });
  const model = new ScriptedModel(
    calls(1, ['bash', { command: 'echo ready; sleep 60' }], ['read', { path: 'a' }], ['read', { path: 'b' }]),
    says('never'),
  );
  place.session.subscribe({ onDelta: ({ type }) => type === 'tool_output_delta' && place.session.cancel() });
  expect(await place.session.prompt('Go', place.settings(model))).toBe('cancelled');
  expect(endsOf(place)).toEqual(['cancelled', 'cancelled', 'cancelled']);
  expectWellFormed(place.session.events);
});
