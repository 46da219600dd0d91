// By which call of which run each line was made.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { CallPlaces } from '../../extension/core/review/call-sites.ts';
import { reviewOf } from '../support/review-desk.ts';
import { calls, type Scenario, says, scenario } from '../support/scenario.ts';
import { bash, type Wanted } from '../support/undo-desk.ts';

const look: Wanted = ['read', { path: 'file.txt' }];
const add = (line: string) => bash(`echo ${line} >> file.txt`);

/** Each pending line with what is said of who has made it. */
async function placesOf(at: Scenario) {
  const places = new CallPlaces();
  for (const event of at.session.events) places.apply(event);
  const { hunks } = await reviewOf(at);
  const lines = hunks.flatMap(({ cells }) => cells).map(({ line }) => line);
  return lines.map(({ text, author }) => [text, typeof author === 'number' ? places.of(author) : author]);
}

test('each line has the run, the call in it, and the prompt of that run, also behind a compaction', async () => {
  const at = await scenario({ mode: 'bypass' });
  const path = join(at.root, 'file.txt');
  await writeFile(path, 'old\n');
  let call = 1;
  const run = (prompt: string, ...replies: readonly (readonly Wanted[])[]) => {
    const turns = replies.map((wanted) => {
      call += wanted.length;
      return calls(call - wanted.length, ...wanted);
    });
    return at.session.prompt(prompt, at.settings(new ScriptedModel(...turns, says('Done.'))));
  };
  await run('First\nand more', [look, add('one')]);
  await at.session.compact(at.settings(new ScriptedModel(says('We added a line.'))));
  await run('Then', [look], [look, look], [add('four'), look, add('six')]);
  await writeFile(path, 'old\none\nfour\nsix\nmine\n');
  await run('At last', [add('last')]);
  const by = { by: 'tool', tool: 'bash' } as const;
  expect(await placesOf(at)).toEqual([
    ['one', { ...by, run: 1, call: 2, prompt: 'First' }],
    ['four', { ...by, run: 3, call: 4, prompt: 'Then' }],
    ['six', { ...by, run: 3, call: 6, prompt: 'Then' }],
    ['last', { ...by, run: 4, call: 1, prompt: 'At last' }],
  ]);
});
