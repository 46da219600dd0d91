// A model that its provider does not know: the error names those that may have been meant.
import { expect, test } from 'vitest';
import type { ModelError, ModelInfo } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { expectWellFormed, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const unknown: ModelError = { kind: 'not_found', message: 'It is not known.', retryable: false };

/** Fails, and lists these models. */
function failing(error: ModelError, listModels: () => Promise<readonly ModelInfo[]>): ScriptedModel {
  return Object.assign(new ScriptedModel([{ type: 'error', error }]), { listModels });
}

const listed = async () => ['claude-sonnet-5', 'claude-opus-5', 'x'].map((id) => ({ id, name: id }));

async function toldOf(model: ScriptedModel, name = 'claude-sonet-5'): Promise<string> {
  const { session, settings, clock } = await scenario();
  expect(await session.prompt('Hi', settings(model, { model: name }))).toBe('error');
  expectWellFormed(session.events);
  expect(clock.sleeping).toBe(0);
  const [error] = session.events.filter((event) => event.type === 'error');
  return error?.message ?? '';
}

test('the nearest of those that the provider lists are named', async () => {
  expect(await toldOf(failing(unknown, listed))).toBe(
    'It is not known. Did you mean scripted/claude-sonnet-5?',
  );
});

test('nothing is added where none is near, or the very name is listed', async () => {
  for (const name of ['llama', 'x'])
    expect(await toldOf(failing(unknown, listed), name)).toBe(unknown.message);
});

test('another error is told as it is, and no list is asked for', async () => {
  const wrongKey: ModelError = { ...unknown, kind: 'auth' };
  const asked: string[] = [];
  const list = async () => {
    asked.push('models');
    return listed();
  };
  expect(await toldOf(failing(wrongKey, list))).toBe(unknown.message);
  expect(asked).toEqual([]);
});

test('a list that fails or does not come keeps no error back', async () => {
  expect(await toldOf(failing(unknown, () => Promise.reject(new Error('no'))))).toBe(unknown.message);
  const { session, settings, clock } = await scenario();
  const run = session.prompt('Hi', settings(failing(unknown, () => new Promise(() => {}))));
  await until(() => clock.sleeping === 1);
  clock.advance(5_000);
  expect(await run).toBe('error');
});

test('a stop while the list is asked for ends the run at once', async () => {
  const { session, settings, clock } = await scenario();
  const run = session.prompt('Hi', settings(failing(unknown, () => new Promise(() => {}))));
  await until(() => clock.sleeping === 1);
  session.cancel();
  expect(await run).toBe('cancelled');
});
