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
  expect(preview).toContain('the recording for replay: model');
  expect(preview).toContain('setting “harness.systemPrompt”');
  const sections = Object.fromEntries(
    preview
      .split('## ')
      .map((text) => [text.slice(0, text.indexOf('\n')), text.match(/(?<=^- `).*(?=`$)/gm)]),
  );
  expect(sections).toMatchObject({
    'Files with included versions': ['new.ts'],
    'Files that were only read': ['read.ts'],
    'Instruction files in the model’s context': ['/home/me/.harness/AGENTS.md', 'AGENTS.md'],
    'Mentions whose content was sent with prompts': ['@git', '@"a b.ts"'],
    'Remembered approvals': ['["run","/repo","npm test"]'],
    'Addresses of model servers': ['http://10.1.2.3/v1'],
  });
});

test('what is left out is told, and why there is no recording', async () => {
  const sound = await made();
  const told = (changes: Partial<typeof sound>) =>
    previewOf({ id: 's', bytes: 1, made: { ...sound, ...changes }, files: NOTHING }, (path) => path);
  expect(told({ unfit: 3, missing: 2 })).toMatch(/3 file versions[\s\S]*2 missing file versions/);
  expect(told({})).not.toMatch(/for want of room|are lost|damaged/);
  expect(told({ isRepaired: true })).toContain('only the intact part of a damaged log');
  const without = { ...sound, hasRecording: false };
  expect(told({ ...without, isRecordingUnfit: true })).toContain('no recording, because it did not fit');
  expect(told({ ...without, isRecordingWithheld: true })).toContain('no recording, because it may');
  expect(told(without)).toContain('no recording, because this session was not recorded');
  expect(told({ ...without, prefixes: 0 })).not.toContain('systemPrompt');
});
