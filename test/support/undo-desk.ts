import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Choices } from '../../extension/core/checkpoints/restore/types.ts';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, type ScenarioOptions, says, scenario } from './scenario.ts';

export type Wanted = readonly [string, Record<string, unknown>];
export const write = (path: string, content: string): Wanted => ['write', { path, content }];
export const bash = (command: string): Wanted => ['bash', { command }];

/** A session that works without questions on real files, and what is asked of it. */
export async function undoDesk(options: ScenarioOptions = {}) {
  const made = await scenario({ mode: 'bypass', ...options });
  const { session, root, settings } = made;
  const at = (name: string) => join(root, name);
  let call = 1;
  const restore = async (to: number, choices: Choices = new Map(), redoes?: string) => {
    const plan = await session.planRestore(to);
    const files = await session.restore({ to, plan, choices, redoes });
    expectWellFormed(session.events);
    return Object.fromEntries(files.map(({ path, outcome }) => [path.slice(root.length + 1), outcome]));
  };
  return {
    ...made,
    at,
    put: (name: string, content: string | Uint8Array) => writeFile(at(name), content),
    read: (name: string) => readFile(at(name), 'utf8').catch(() => undefined),
    /** One run. Resolves with the event before it. */
    run: async (...wanted: readonly Wanted[]) => {
      const before = session.events.length;
      const model = new ScriptedModel(calls(call, ...wanted), says('Done.'));
      model.tools = ['apply_patch'];
      call += wanted.length;
      await session.prompt('Go on', settings(model));
      return before;
    },
    restore,
    /** What “Undo Last Run” and “Redo” do. */
    undo: () => restore(undoStackOf(session.events).undoTo ?? Number.NaN),
    redo: () => {
      const { redo } = undoStackOf(session.events);
      return restore(redo?.to ?? Number.NaN, new Map(), redo?.restored.id);
    },
    steps: async (to: number) => {
      const plan = await session.planRestore(to);
      return Object.fromEntries(plan.map(({ path, step }) => [path.slice(root.length + 1), step.kind]));
    },
  };
}

/** Three runs have changed `a.txt` from 0 to 3. `before` has the event before each. */
export async function threeRuns() {
  const desk = await undoDesk();
  await desk.put('a.txt', '0');
  const before: number[] = [];
  for (const text of ['1', '2', '3']) before.push(await desk.run(write('a.txt', text)));
  return { ...desk, before };
}
