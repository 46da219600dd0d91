// What is saved or written beside a command, also in the moments before and after it, is not that command's change.
import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { watchFiles } from '../support/files.ts';
import { calls, says } from '../support/scenario.ts';
import { bash, undoDesk, write } from '../support/undo-desk.ts';

test.each([
  { when: 'before', nth: 1 },
  { when: 'after', nth: 2 },
])(
  'what the user saves, or another session writes, while the workspace is looked at $when a command is not its change',
  async ({ nth }) => {
    const { at, put, read, run, undo, settings, ports, store, root, openLog } = await undoDesk();
    const other = await openLog(await store.create({ cwd: root, product: 'test' }));
    const model = new ScriptedModel(calls(1, write('theirs.txt', 'theirs')), says('Done.'));
    await put('read.bin', Buffer.alloc(150_000));
    await put('yours.txt', 'old');
    let count = 0;
    const stop = watchFiles(at('read.bin'), async ({ name }, perform) => {
      if (name !== 'readFile' || ++count !== nth) return perform();
      await put('yours.txt', 'yours');
      void ports.scan?.absorb([at('yours.txt')]);
      void other.prompt('Go on', settings(model));
      await expect.poll(() => read('theirs.txt')).toBe('theirs');
      await setTimeout(300);
      return perform();
    });
    onTestFinished(stop);
    await run(bash('echo x >> read.bin; echo made > made.txt'));
    await undo();
    const names = ['yours.txt', 'theirs.txt', 'made.txt'];
    expect(await Promise.all(names.map(read))).toEqual(['yours', 'theirs', undefined]);
  },
);
