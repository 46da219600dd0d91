// What undo needs is read and written while a call runs: no request waits for it.
import { dirname, join, sep } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ModelEvent } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { type FileOperation, watchFiles } from '../support/files.ts';
import { type Gate, makeGate } from '../support/gate.ts';
import { calls, type Scenario, says, scenario } from '../support/scenario.ts';

/** From the changes of a call to the next request nothing is reached of the workspace and of versions of its files. */
function holdOnTheWay({ session, root }: Scenario) {
  const isOfUndo = ({ path }: FileOperation) =>
    path.startsWith(root + sep) || path === root || /[\\/](blobs|scans)([\\/]|$)/.test(path);
  let way: Gate | undefined;
  const versions: string[] = [];
  const stop = watchFiles(dirname(root), async (operation, perform) => {
    if (isOfUndo(operation)) await way?.opened;
    if (operation.path.includes(join(session.id, 'blobs'))) versions.push(operation.name);
    return perform();
  });
  const begin = () => {
    way ??= makeGate();
  };
  const end = () => {
    way?.open();
    way = undefined;
  };
  onTestFinished(() => {
    end();
    stop();
  });
  session.subscribe({
    onEvents: (events) => events.some(({ type }) => type === 'files_changed') && begin(),
  });
  const asked = (reply: readonly ModelEvent[]) => () => {
    end();
    return reply;
  };
  return { versions, asked };
}

test('the model is asked again at once, whatever the disk does with what undo needs', {
  timeout: 20_000,
}, async () => {
  const at = await scenario({ mode: 'bypass' });
  const { versions, asked } = holdOnTheWay(at);
  const model = new ScriptedModel(
    asked(calls(1, ['write', { path: 'new.txt', content: 'one\n' }])),
    asked(calls(2, ['bash', { command: 'echo two > other.txt; rm new.txt' }])),
    asked(calls(3, ['move', { source: 'other.txt', destination: 'moved.txt' }])),
    asked(says('Done.')),
  );
  expect(await at.session.prompt('Go on', at.settings(model))).toBe('done');
  expect(model.unused).toBe(0);
  expect(versions).toContain('rename');
  const changed = at.session.events.filter(({ type }) => type === 'files_changed');
  expect(changed).toHaveLength(3);
});
