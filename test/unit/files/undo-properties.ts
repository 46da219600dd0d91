// Undo against what the files really were. For whoever runs it: modes mean something to an ordinary user alone.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { RestoredFile } from '../../../extension/core/files/restorer.ts';
import type { Tree } from '../../support/tree-of.ts';
import { type ActOptions, acts, CLOSED, OPEN } from './undo-acts.ts';
import { Bench } from './undo-bench.ts';

const AGENT = ['call', 'command'] as const;
const RUNS = Number(process.env.HARNESS_UNDO_RUNS ?? 60);

export const properties = {
  'after any changes by calls and commands, the files of any point come back whole, and so does now': () =>
    check({ by: AGENT, modes: OPEN, count: 8 }, async (bench, point) => {
      const now = await bench.tree;
      const files = await bench.restore(point);
      assert.deepEqual(await bench.tree, bench.points.find(({ seq }) => seq === point)?.tree);
      assert.deepEqual(
        [...files.values()].filter(({ outcome }) => outcome !== 'identical'),
        [],
      );
      await bench.redo();
      assert.deepEqual(await bench.tree, now);
    }),

  'whatever the user does between and since, and whatever is closed, nothing is said that is not so, nothing of theirs is lost, and now comes back':
    () =>
      check(
        { by: [...AGENT, 'user', 'user'], modes: [...OPEN, ...CLOSED], count: 10 },
        async (bench, point) => {
          const before = await bench.tree;
          const files = await bench.restore(point);
          const after = await bench.tree;
          for (const name of namesIn(before, after)) {
            const outcome = files.get(name)?.outcome ?? 'kept';
            if (outcome === 'identical')
              assert.equal(after[name], bench.treeBefore(name, point)?.[name], `${name} is not identical`);
            else if (outcome !== 'merged' && !isNeeded(name, files))
              assert.equal(after[name], before[name], `${name} is not as it was`);
          }
          const [had, has] = [linesOf(before), linesOf(after)];
          for (const mine of bench.mine)
            assert.ok(!had.includes(mine) || has.includes(mine), `${mine} is lost`);
          await bench.redo();
          assert.deepEqual(await bench.tree, before);
        },
      ),
};

async function check(
  options: ActOptions,
  property: (bench: Bench, point: number) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(acts(options), fc.nat(), async (wanted, choice) => {
      const bench = await Bench.open();
      try {
        for (const act of wanted) await bench.act(act);
        assert.deepEqual(bench.untold, []);
        await property(bench, bench.points[choice % bench.points.length]?.seq ?? 0);
      } finally {
        await bench.close();
      }
    }),
    { numRuns: RUNS },
  );
}

function namesIn(...trees: readonly Tree[]): ReadonlySet<string> {
  return new Set(trees.flatMap((tree) => Object.keys(tree)));
}

/** A directory that is there again for what was put back into it. */
function isNeeded(name: string, files: ReadonlyMap<string, RestoredFile>): boolean {
  const isOccupied = files.get(name)?.reason === 'something in it stays';
  return (
    isOccupied && [...files].some(([path, { outcome }]) => path.startsWith(`${name}/`) && outcome !== 'kept')
  );
}

function linesOf(tree: Tree): string {
  return Object.values(tree).join('\n');
}
