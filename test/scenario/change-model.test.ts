// A run goes on with another model: the one that the user chooses while it waits, or the fallback.
import { expect, test } from 'vitest';
import { SetupError } from '../../extension/core/base/setup-error.ts';
import type { RunSettings } from '../../extension/core/loop/run-settings.ts';
import type { ModelError, ModelEvent } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const overloaded: ModelError = { kind: 'overloaded', message: 'It is overloaded.', retryable: true };
const failing = (error: ModelError) => [{ type: 'error', error }] as const;

/** Its own name, since a log tells models apart by that. */
function named(name: string, ...replies: readonly (readonly ModelEvent[])[]): ScriptedModel {
  return Object.assign(new ScriptedModel(...replies), { name });
}

function withFallback({ settings }: Scenario, main: ScriptedModel, fallback: () => Promise<RunSettings>) {
  return settings(main, { model: 'first', fallback });
}

const requests = ({ session }: Scenario) =>
  session.events.flatMap((event) =>
    event.type === 'request_started' ? [`${event.provider}/${event.model}`] : [],
  );
const notices = ({ session }: Scenario) =>
  session.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

test.each(['auth', 'billing', 'permission', 'not_found'] as const)(
  'after “%s” the fallback answers at once, and the log says so',
  async (kind) => {
    const at = await scenario();
    const main = named('main', failing({ kind, message: 'No.', retryable: false }));
    const second = named('second', says('Here.'));
    const run = at.session.prompt('Hi', withFallback(at, main, at.settings(second, { model: 'other' })));
    expect(await run).toBe('done');
    expect(requests(at)).toEqual(['main/first', 'second/other']);
    expect(notices(at)).toEqual(['No. The run continues with second/other.']);
    expect(second.turns[0]?.messages).toEqual(main.turns[0]?.messages);
    expectWellFormed(at.session.events);
  },
);

test('what may pass is tried again first, then the fallback, which has all attempts of its own', async () => {
  const at = await scenario();
  const main = named('main', ...Array.from({ length: 5 }, () => failing(overloaded)));
  const second = named('second', failing(overloaded), says('Here.'));
  const run = at.session.prompt('Hi', withFallback(at, main, at.settings(second, { model: 'other' })));
  for (let wait = 0; wait < 5; wait++) {
    await until(() => at.clock.sleeping === 1);
    at.clock.advance(60_000);
  }
  expect(await run).toBe('done');
  expect(main.unused + second.unused).toBe(0);
  expect(requests(at).slice(-3)).toEqual(['main/first', 'second/other', 'second/other']);
});

test('a wait that is too long is left to the fallback', async () => {
  const at = await scenario();
  const main = named('main', failing({ ...overloaded, retryAfterMs: 3_600_000 }));
  const second = named('second', says('Here.'));
  expect(await at.session.prompt('Hi', withFallback(at, main, at.settings(second)))).toBe('done');
});

test('the fallback is taken once in a run, and the next prompt begins with the chosen model again', async () => {
  const at = await scenario();
  const down: ModelError = { kind: 'auth', message: 'No.', retryable: false };
  const main = named('main', failing(down), says('Back.'));
  const second = named('second', calls(1, ['list_dir', { path: '.' }]), failing(down));
  const settings = withFallback(at, main, at.settings(second, { model: 'other' }));
  expect(await at.session.prompt('Hi', settings)).toBe('error');
  expect(requests(at)).toEqual(['main/first', 'second/other', 'second/other']);
  expect(await at.session.prompt('Again', settings)).toBe('done');
  expect(requests(at).at(-1)).toBe('main/first');
  expectWellFormed(at.session.events);
});

test('a fault of the request itself is no matter for another model', async () => {
  const at = await scenario();
  const main = named('main', failing({ kind: 'invalid_request', message: 'No.', retryable: false }));
  const run = at.session.prompt('Hi', withFallback(at, main, at.settings(named('second'))));
  expect(await run).toBe('error');
  expect(notices(at)).toEqual([]);
});

test('a fallback that cannot be used is told, and the error of the model stays', async () => {
  const at = await scenario();
  const main = named('main', failing({ kind: 'auth', message: 'No.', retryable: false }));
  const run = at.session.prompt(
    'Hi',
    withFallback(at, main, () => Promise.reject(new SetupError('no_key', 'It has no key.'))),
  );
  expect(await run).toBe('error');
  expect(notices(at)).toEqual(['The fallback model cannot be used. It has no key.']);
  expect(at.session.events.findLast((event) => event.type === 'error')).toMatchObject({ message: 'No.' });
});

test('a fallback that is the same model is none', async () => {
  const at = await scenario();
  const main = named('main', failing({ kind: 'auth', message: 'No.', retryable: false }));
  const settings = withFallback(at, main, at.settings(main, { model: 'first' }));
  expect(await at.session.prompt('Hi', settings)).toBe('error');
  expect(notices(at)).toEqual([]);
  expect(main.turns).toHaveLength(1);
});

test('a model that is chosen while the run waits answers next', async () => {
  const at = await scenario();
  const main = named('main', failing(overloaded));
  const second = named('second', says('Here.'));
  let chosen = at.settings(main, { model: 'first' });
  const run = at.session.prompt('Hi', () => chosen());
  await until(() => at.clock.sleeping === 1);
  chosen = at.settings(second, { model: 'other' });
  at.session.retryNow();
  expect(await run).toBe('done');
  expect(requests(at)).toEqual(['main/first', 'second/other']);
  expect(at.clock.sleeping).toBe(0);
});

test('what is made anew whenever the settings are read is no other model: its attempts come to an end', async () => {
  const at = await scenario();
  const main = named('main', ...Array.from({ length: 5 }, () => failing(overloaded)));
  const again = () => ({
    name: 'main',
    streamTurn: main.streamTurn.bind(main),
    listModels: main.listModels.bind(main),
  });
  const run = at.session.prompt('Hi', () => at.settings(again(), { model: 'first' })());
  for (let wait = 0; wait < 4; wait++) {
    await until(() => at.clock.sleeping === 1);
    at.clock.advance(60_000);
  }
  expect(await run).toBe('error');
  expect(main.unused).toBe(0);
});

test('the fallback goes on after a wait of its own, though the user’s choice is as it was', async () => {
  const at = await scenario();
  const main = named('main', failing({ kind: 'auth', message: 'No.', retryable: false }));
  const second = named('second', failing(overloaded), says('Here.'));
  const run = at.session.prompt('Hi', withFallback(at, main, at.settings(second, { model: 'other' })));
  await until(() => at.clock.sleeping === 1);
  at.session.retryNow();
  expect(await run).toBe('done');
  expect(requests(at)).toEqual(['main/first', 'second/other', 'second/other']);
});

test('a choice without a key ends the run with words that say so', async () => {
  const at = await scenario();
  let chosen = at.settings(named('main', failing(overloaded)));
  const run = at.session.prompt('Hi', () => chosen());
  await until(() => at.clock.sleeping === 1);
  chosen = () => Promise.reject(new SetupError('no_key', 'It has no key.'));
  at.session.retryNow();
  expect(await run).toBe('error');
  expect(at.session.events.findLast((event) => event.type === 'error')).toMatchObject({
    code: 'no_key',
    message: 'It has no key.',
  });
  expectWellFormed(at.session.events);
});

test('a reply that was paused is gone on with by the fallback as one that the user has to ask for', async () => {
  const at = await scenario();
  const main = named(
    'main',
    says('Half of', 'pause'),
    failing({ kind: 'auth', message: 'No.', retryable: false }),
  );
  const second = named('second', says('it.'));
  const run = at.session.prompt('Hi', withFallback(at, main, at.settings(second, { model: 'other' })));
  expect(await run).toBe('done');
  expect(main.turns[1]?.messages.at(-1)?.role).toBe('assistant');
  expect(second.turns[0]?.messages.at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'Go on where you stopped.' }],
  });
  expectWellFormed(at.session.events);
});
