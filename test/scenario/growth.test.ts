// What a turn costs the extension host in a session that grows longer and longer: work that is counted, not timed.
import { writeFile } from 'node:fs/promises';
import { Session as Inspector } from 'node:inspector/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { LogWindow } from '../../extension/core/view/log-window.ts';
import { calls, says, scenario } from '../support/scenario.ts';

/** Counts the blocks of our code that are entered: functions, branches and the turns of loops. */
async function countBlocks(): Promise<() => Promise<number>> {
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post('Profiler.enable');
  await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  return async () => {
    const { result } = await inspector.post('Profiler.takePreciseCoverage');
    const ours = result.filter(({ url }) => url.includes('/extension/'));
    const ranges = ours.flatMap(({ functions }) => functions.flatMap((each) => each.ranges));
    return ranges.reduce((total, { count }) => total + count, 0);
  };
}

test('the 400th turn costs what the 40th costs', async () => {
  const { session, settings, root } = await scenario();
  await writeFile(join(root, 'a.txt'), 'words\n');
  const read = (turn: number) => calls(turn, ['read', { path: 'a.txt' }]);
  const model = new ScriptedModel(...Array.from({ length: 400 }, (_, turn) => read(turn)), says('Done.'));
  const shown = new LogWindow();
  const take = await countBlocks();
  const turns: number[] = [];
  let taking = Promise.resolve();
  session.subscribe({
    onEvents: (events) => {
      shown.apply(events);
      if (!events.some(({ type }) => type === 'request_ended')) return;
      taking = taking.then(take).then((blocks) => void turns.push(blocks));
    },
  });
  await session.prompt('Read it', settings(model, { maxTurns: 500 }));
  await taking;
  const cost = (from: number) => turns.slice(from, from + 20).sort((a, b) => a - b)[10] ?? 0;
  expect(cost(30)).toBeGreaterThan(200);
  expect(cost(380)).toBeLessThan(cost(30) * 1.2);
}, 200_000);
