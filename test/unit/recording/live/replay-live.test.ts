import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../../../extension/core/ports/testing/scripted-model.ts';
import { replayLive } from '../../../../extension/core/recording/live/replay-live.ts';
import { hidingOf } from '../../../../extension/core/recording/masks.ts';
import { MemoryRecording } from '../../../../extension/core/recording/memory-recording.ts';
import { recorded } from '../../../../extension/core/recording/record/record-session.ts';
import { thisProduct } from '../../../../extension/core/recording/replay/this-product.ts';
import { Session } from '../../../../extension/core/session/session.ts';
import { systemClock } from '../../../../extension/node/system-clock.ts';
import { calls, says, scenario } from '../../../support/scenario.ts';

test('with live tools a later process takes back what an earlier one has done', async () => {
  const { ports, root, store, settings } = await scenario({ mode: 'bypass' });
  const sink = new MemoryRecording();
  const options = { sink, clock: systemClock, errors: thisProduct.errors, hiding: hidingOf(undefined) };
  const file = join(root, 'a.txt');
  await writeFile(file, 'one');
  const first = recorded(await store.create({ cwd: root, product: 'test' }), ports, options);
  const session = await Session.open(first.log, first.ports);
  const to = session.events.length;
  const model = new ScriptedModel(calls(1, ['write', { path: 'a.txt', content: 'two' }]), says('Done.'));
  await session.prompt('Go on', settings(model));
  await session.close();
  const second = recorded(await store.open(session.id), ports, options);
  const again = await Session.open(second.log, second.ports);
  await again.restore({ to, plan: await again.planRestore(to), choices: new Map() });
  await again.close();
  expect(await readFile(file, 'utf8')).toBe('one');
  const lines = (await store.read(session.id)).map((event) => JSON.stringify(event));
  const recording = {
    id: session.id,
    entries: async function* () {
      yield* sink.entries;
    },
    log: { length: lines.length, lines: async (from: number, end: number) => lines.slice(from - 1, end) },
    fetch: (hash: string) => sink.fetch(hash),
  };
  const live = { product: thisProduct, turn: () => systemClock.yield(), clock: systemClock, ports };
  expect(await replayLive(recording, live)).toMatchObject({ results: 3, diff: '', different: 0, denied: 0 });
  expect(await readFile(file, 'utf8')).toBe('one');
});
