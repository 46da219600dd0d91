// What one more word of an answer costs, from the provider's event to the listener's delta: calls that are counted, not timed.
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import { Session } from '../../../extension/core/session/session.ts';
import { openCallCounter } from '../../support/count-calls.ts';
import { says, scenario } from '../../support/scenario.ts';

/** Words as they come in an answer: with code, a path, an address and a name that begins as a token does. */
const WORDS =
  'The parser reads `config.json` once, so the second call is free. A task-force of skilled agents would help, as in the example above.'.split(
    /(?= )/,
  );

/** The answer of so many words, each in a delta of its own. */
function answerOf(words: number) {
  const pieces = Array.from({ length: words }, (_, index) => WORDS[index % WORDS.length] ?? '');
  const deltas = pieces.map((text) => ({ type: 'text_delta', text }) as const);
  return [...deltas, ...says(pieces.join('')).slice(1)];
}

test('a streamed word costs at most 15 calls', async () => {
  const { store, ports, root, settings } = await scenario({ secrets: ['canary-key-0815-4711'] });
  const session = await Session.open(await store.create({ cwd: root, product: 'test' }), ports);
  let told = 0;
  session.subscribe({ onDelta: () => (told += 1) });
  const take = await openCallCounter();
  const callsOf = async (words: number) => {
    await take();
    await session.prompt('Explain.', settings(new ScriptedModel(answerOf(words))));
    return take();
  };
  await callsOf(20);
  told = 0;
  const [few, many] = [await callsOf(100), await callsOf(500)];
  expect(told).toBeGreaterThan(590);
  const perWord = (many - few) / 400;
  expect(perWord).toBeGreaterThan(5);
  expect(perWord).toBeLessThanOrEqual(15);
  await session.close();
});
