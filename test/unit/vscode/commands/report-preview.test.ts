import { expect, test } from 'vitest';
import { exported, previewOf } from '../../../../extension/vscode/commands/report-preview.ts';
import { machine, session } from '../../../support/machine.ts';

const NOTHING = { kept: [], read: [], instructions: [], mentions: [] };

async function made() {
  const here = await machine();
  const { id } = await session(here);
  return exported.parse((await here.export(id)).summary);
}

test('whatever leaves with a report is named: files, instructions, mentions, approvals, addresses', async () => {
  const report = {
    id: 's',
    bytes: 1_200,
    made: { ...(await made()), approvals: ['["run","/repo","npm test"]'], endpoints: ['http://10.1.2.3/v1'] },
    files: {
      kept: ['/repo/new.ts'],
      read: ['/repo/read.ts'],
      instructions: ['/home/me/.harness/AGENTS.md', '/repo/AGENTS.md'],
      mentions: ['@git', '@"a b.ts"'],
    },
  };
  const preview = previewOf(report, (path) => path.replace('/repo/', ''));
  expect(preview).toContain('One file, 2 kB');
  expect(preview).toContain('3 events');
  expect(preview).toContain('the recording, from which');
  expect(preview).toContain('setting “harness.systemPrompt”');
  const sections = Object.fromEntries(
    preview
      .split('## ')
      .map((text) => [text.slice(0, text.indexOf('\n')), text.match(/(?<=^- `).*(?=`$)/gm)]),
  );
  expect(sections).toMatchObject({
    'Files of which versions are in it': ['new.ts'],
    'Files that were only read': ['read.ts'],
    'Files with instructions that the model was told': ['/home/me/.harness/AGENTS.md', 'AGENTS.md'],
    'Mentions whose contents went with prompts': ['@git', '@"a b.ts"'],
    'Approvals that you have remembered': ['["run","/repo","npm test"]'],
    'Addresses of models': ['http://10.1.2.3/v1'],
  });
});

test('what is left out is told, and why there is no recording', async () => {
  const sound = await made();
  const told = (changes: Partial<typeof sound>) =>
    previewOf({ id: 's', bytes: 1, made: { ...sound, ...changes }, files: NOTHING }, (path) => path);
  expect(told({ unfit: 3, missing: 2 })).toMatch(/3 versions[\s\S]*2 versions/);
  expect(told({})).not.toMatch(/for want of room|are lost|damaged/);
  expect(told({ isMended: true })).toContain('of a damaged log what is intact');
  const without = { ...sound, hasRecording: false };
  expect(told({ ...without, isRecordingUnfit: true })).toContain('no recording: there is no room');
  expect(told({ ...without, isRecordingWithheld: true })).toContain('no recording: it may hold');
  expect(told(without)).toContain('no recording: the session was not recorded');
  expect(told({ ...without, prefixes: 0 })).not.toContain('systemPrompt');
});
