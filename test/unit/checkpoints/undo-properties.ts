// Undo against what the files really were. For whoever runs it: modes mean something to an ordinary user alone.
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { RestoredFile } from '../../../extension/core/checkpoints/restored-file.ts';
import type { Tree } from '../../support/tree-of.ts';
import { EditedText, lineEdits, TEXT } from './line-edits.ts';
import { type ActOptions, acts, CLOSED, OPEN } from './undo-acts.ts';
import { Bench } from './undo-bench.ts';

const AGENT = ['call', 'command'] as const;
const RUNS = Number(process.env.HARNESS_UNDO_RUNS ?? 60);

export const properties = {
  'after any changes by calls and commands, the files of any point come back whole, and so does now': () =>
    checkActs({ by: AGENT, modes: OPEN, count: 8 }, async (bench, point) => {
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
      checkActs(
        { by: [...AGENT, 'user', 'user'], modes: [...OPEN, ...CLOSED], count: 10 },
        async (bench, point) => {
          const { before, after } = await restoreAsTold(bench, point);
          const [had, has] = [linesOf(before), linesOf(after)];
          for (const mine of bench.mine)
            assert.ok(!had.includes(mine) || has.includes(mine), `${mine} is lost`);
          await bench.redo();
          assert.deepEqual(await bench.tree, before);
        },
      ),

  'where the user wants the version of then whatever they have done, nothing is said that is not so, and now comes back':
    () =>
      checkActs({ by: [...AGENT, 'user', 'user'], modes: OPEN, count: 10 }, async (bench, point) => {
        const { before } = await restoreAsTold(bench, point, true);
        await bench.redo();
        assert.deepEqual(await bench.tree, before);
      }),

  'in a text that both edit, lines of the user stay, later ones of the agent go, earlier ones stay, and now comes back':
    async () => {
      let merged = 0;
      await check(lineEdits, async (bench, { edits, writing }, choice) => {
        const text = new EditedText(bench, writing);
        await text.write(edits);
        const point = pointOf(bench, choice);
        const [before, had] = [await bench.tree, await text.lines];
        const outcome = (await bench.restore(point)).get(TEXT)?.outcome ?? 'identical';
        const has = await text.lines;
        for (const { line, isUsers, seq } of text.own.filter(({ line }) => had.includes(line))) {
          const isLater = !isUsers && seq >= point;
          if (!isLater) assert.ok(has.includes(line), `${line} is lost, ${outcome}`);
          else if (outcome !== 'kept') assert.ok(!has.includes(line), `${line} is still there, ${outcome}`);
        }
        if (outcome === 'kept') assert.deepEqual(has, had);
        if (outcome === 'merged') merged += 1;
        await bench.redo();
        assert.deepEqual(await bench.tree, before);
      });
      assert.ok(merged >= Math.floor(RUNS / 10), `${merged} of ${RUNS} were merged`);
    },
};

/** Restores, and compares what is told of each path with what it has become. */
async function restoreAsTold(bench: Bench, point: number, isForced = false) {
  const before = await bench.tree;
  const files = await bench.restore(point, { isForced });
  const after = await bench.tree;
  for (const name of namesIn(before, after)) {
    const outcome = files.get(name)?.outcome ?? 'kept';
    if (outcome === 'identical')
      assert.equal(after[name], bench.treeBefore(name, point)?.[name], `${name} is not identical`);
    else if (outcome !== 'merged' && !isNeeded(name, files, before))
      assert.equal(after[name], before[name], `${name} is not as it was`);
  }
  return { before, after };
}

function checkActs(
  options: ActOptions,
  property: (bench: Bench, point: number) => Promise<void>,
): Promise<void> {
  return check(acts(options), async (bench, wanted, choice) => {
    for (const act of wanted) await bench.act(act);
    assert.deepEqual(bench.untold, []);
    await property(bench, pointOf(bench, choice));
  });
}

async function check<Wanted>(
  wanted: fc.Arbitrary<Wanted>,
  property: (bench: Bench, wanted: Wanted, choice: number) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(wanted, fc.nat(), async (each, choice) => {
      const bench = await Bench.open();
      try {
        await property(bench, each, choice);
      } finally {
        await bench.close();
      }
    }),
    { numRuns: RUNS },
  );
}

function pointOf({ points }: Bench, choice: number): number {
  return points[choice % points.length]?.seq ?? 0;
}

function namesIn(...trees: readonly Tree[]): ReadonlySet<string> {
  return new Set(trees.flatMap((tree) => Object.keys(tree)));
}

/** A directory that is there again for what was put back into it. */
function isNeeded(name: string, files: ReadonlyMap<string, RestoredFile>, before: Tree): boolean {
  const file = files.get(name);
  const mayBeMade = file ? file.reason === 'it contains something that stays' : before[name] === undefined;
  return (
    mayBeMade && [...files].some(([path, { outcome }]) => path.startsWith(`${name}/`) && outcome !== 'kept')
  );
}

function linesOf(tree: Tree): string {
  return Object.values(tree).join('\n');
}
