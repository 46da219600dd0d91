import { expect, test } from 'vitest';
import type { Policy } from '../../../extension/core/ports/policy-store.ts';
import { ScriptedModel } from '../../../extension/core/ports/testing/scripted-model.ts';
import type { Entry } from '../../../extension/core/recording/entry.ts';
import { MemoryRecording } from '../../../extension/core/recording/memory-recording.ts';
import { recorded } from '../../../extension/core/recording/record/record-session.ts';
import { replaySession } from '../../../extension/core/recording/replay/replay-session.ts';
import { thisProduct } from '../../../extension/core/recording/replay/this-product.ts';
import { maskPolicy } from '../../../extension/core/secrets/streaming-filter.ts';
import { Session } from '../../../extension/core/session/session.ts';
import { systemClock } from '../../../extension/node/system-clock.ts';
import { calls, says, scenario } from '../../support/scenario.ts';

const ELSEWHERE: Policy = {
  decision: 'allow',
  scope: '["run","/clients/merger","ssh 10.9.8.7"]',
  created: 1,
};
const playing = { product: thisProduct, turn: () => systemClock.yield() };

/** A session whose two commands, and one of another workspace, are always allowed; as it was recorded. */
async function recordedRun() {
  const { ports, root, store, settings } = await scenario();
  const always = (command: string) => JSON.stringify(['run', root, command]);
  await ports.policies.add(ELSEWHERE);
  for (const command of ['touch a', 'touch b'])
    await ports.policies.add({ decision: 'allow', scope: always(command), created: 1 });
  const sink = new MemoryRecording();
  const options = { sink, clock: systemClock, errors: thisProduct.errors, policy: maskPolicy(undefined) };
  const passing = recorded(await store.create({ cwd: root, product: 'test' }), ports, options);
  const session = await Session.open(passing.log, passing.ports);
  const wanted = ['touch a', 'touch b'].map((command) => ['bash', { command }] as const);
  await session.prompt('Go on', settings(new ScriptedModel(calls(1, ...wanted), says('Done.'))));
  await session.close();
  const lines = session.events.map((event) => JSON.stringify(event));
  const play = (entries: readonly Entry[]) => ({
    id: session.id,
    entries: async function* () {
      yield* entries;
    },
    log: { length: lines.length, lines: async (from: number, to: number) => lines.slice(from - 1, to) },
    fetch: (hash: string) => sink.fetch(hash),
  });
  return { entries: sink.entries, play };
}

/** What each call of this name gave. */
function ofCalls(entries: readonly Entry[], name: string): (entry: Entry) => boolean {
  const ids = new Set(
    entries.flatMap((entry) => (entry.kind === 'start' && entry.name === name ? entry.id : [])),
  );
  return (entry) => entry.kind === 'end' && ids.has(entry.id);
}

test('a recording holds the approvals that were asked for, and none of another workspace', async () => {
  const { entries, play } = await recordedRun();
  const text = JSON.stringify(entries);
  expect(text).toContain('touch b');
  expect(text).not.toContain('10.9.8.7');
  expect(await replaySession(play(entries), playing)).toMatchObject({ equal: true });
});

test('a recording from before plays, which holds all of them', async () => {
  const { entries, play } = await recordedRun();
  const isApprovals = ofCalls(entries, 'policies.load');
  const all = entries.filter(isApprovals).flatMap((entry) => (entry.kind === 'end' ? entry.value : []));
  const older = entries.map((entry) =>
    isApprovals(entry) ? { ...entry, value: [ELSEWHERE, ...all] } : entry,
  ) as Entry[];
  expect(JSON.stringify(older)).toContain('10.9.8.7');
  expect(await replaySession(play(older), playing)).toMatchObject({ equal: true });
});
