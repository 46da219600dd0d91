// A search that finds nothing as it was given is read in another way, and the model learns which one it was.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';

test('a search finds what it names in another syntax and in another folder', async () => {
  const place = await scenario();
  await mkdir(join(place.root, 'src'));
  await writeFile(join(place.root, 'src/date.ts'), 'const day = 1;\nlet month;\nlet year;\n');
  const model = new ScriptedModel(
    calls(
      1,
      ['grep', { pattern: 'day|month', path: '.' }],
      ['find_files', { pattern: '*.ts' }],
      ['read', { path: 'date.ts' }],
    ),
    says('Found.'),
  );
  await place.session.prompt('Where are days and months?', place.settings(model));
  const sent = JSON.stringify(model.turns.at(-1)?.messages);
  expect(sent).toContain('src/date.ts\\n1:const day = 1;\\n2:let month;');
  expect(place.asked).toHaveLength(0);
  expectWellFormed(place.session.events);
  await expect(golden(place.session.events, place.root)).toMatchFileSnapshot('./golden/other-readings.jsonl');
});
