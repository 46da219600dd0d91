// Harness looks at the workspace for a command only after the gate has allowed it, and stops when the user stops.
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { watchFiles } from '../support/files.ts';
import { calls, expectWellFormed, type ScenarioOptions, says, scenario } from '../support/scenario.ts';

/** A workspace with a file that every first scan reads, and the paths that were read. */
async function watched(options: ScenarioOptions) {
  const made = await scenario(options);
  const large = join(made.root, 'large');
  await writeFile(large, Buffer.alloc(150_000));
  const read: string[] = [];
  const stop = watchFiles(made.root, ({ name, path }, perform) => {
    if (name === 'readFile') read.push(path);
    return perform();
  });
  onTestFinished(stop);
  const model = new ScriptedModel(calls(1, ['bash', { command: 'echo x > made' }]), says('Done.'));
  return { ...made, large, read, run: () => made.session.prompt('Go on', made.settings(model)) };
}

test.each<{ what: string; options: ScenarioOptions }>([
  { what: 'a person denies', options: { answer: () => ({ decision: 'deny' }) } },
  { what: 'plan mode denies', options: { mode: 'plan' } },
  {
    what: 'a person denies in an untrusted folder',
    options: { trusted: false, answer: () => ({ decision: 'deny' }) },
  },
])('a command that $what reads no file of the workspace', async ({ options }) => {
  const { session, root, ports, read, run } = await watched(options);
  await run();
  expectWellFormed(session.events);
  expect(session.events.find(({ type }) => type === 'tool_result')).toMatchObject({ end: 'denied' });
  expect(read).toEqual([]);
  expect(await readdir(root)).toEqual(['large']);
  expect((await readdir(ports.home)).filter((name) => name.includes('pack'))).toEqual([]);
});

test('a stop during the scan before a command ends it: nothing is run, and the other files are not read', async () => {
  const { session, root, read, large, run } = await watched({ mode: 'bypass' });
  await mkdir(join(root, 'more'));
  for (let index = 0; index < 50; index++)
    await writeFile(join(root, `more/f${index}`), Buffer.alloc(150_000));
  const stop = watchFiles(large, async (_, perform) => {
    session.cancel();
    return perform();
  });
  onTestFinished(stop);
  await run();
  expectWellFormed(session.events);
  expect(session.events.find(({ type }) => type === 'tool_result')).toMatchObject({ end: 'cancelled' });
  expect(session.events.at(-1)).toMatchObject({ type: 'turn_ended', reason: 'cancelled' });
  expect(read).toEqual([large]);
  expect((await readdir(root)).sort()).toEqual(['large', 'more']);
});
