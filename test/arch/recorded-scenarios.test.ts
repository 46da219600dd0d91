// Each session of a scenario is recorded, and played back in the end: `test/support/recorded.ts` opens all of them.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const TESTS = join(import.meta.dirname, '..');
const OPENERS = [
  'support/recorded.ts',
  // Into a file, as the command line does it.
  'support/open-recorded.ts',
  // Into files, which it plays.
  'scenario/recordings.test.ts',
  // Processes of their own that are killed.
  'support/crash/background-until-killed.ts',
  'support/crash/think-until-killed.ts',
  'support/crash/work-until-killed.ts',
];

/** Files below a folder of tests that can open a session. */
async function openersIn(folder: string): Promise<string[]> {
  const names = (await readdir(join(TESTS, folder), { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  const texts = await Promise.all(names.map((name) => readFile(join(TESTS, folder, name), 'utf8')));
  const opens = /\bSession\.open\b|\bopenSession:|\bopenRecorded\(/;
  return names.filter((_, index) => opens.test(texts[index] ?? '')).map((name) => `${folder}/${name}`);
}

test('no session of a scenario is opened but by what records it and plays it back', async () => {
  const openers = [...(await openersIn('scenario')), ...(await openersIn('support'))];
  expect(openers.sort()).toEqual(OPENERS.sort());
});

test('a session that is recorded is played back', async () => {
  const recorded = await readFile(join(TESTS, 'support/recorded.ts'), 'utf8');
  expect(recorded).toMatch(/onTestFinished\(async [\s\S]*await expectEqualReplay\(\)/);
  const names = await readdir(join(TESTS, 'scenario'));
  for (const name of names.filter((each) => each.endsWith('.test.ts'))) {
    const text = await readFile(join(TESTS, 'scenario', name), 'utf8');
    // Who records without `recordedSession` has to ask for the playback.
    if (/\brecord\b[^}]*\} from '..\/support\/recorded.ts'/.test(text))
      expect(text, name).toContain('expectEqualReplay()');
  }
});
