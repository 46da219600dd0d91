import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recordingOf } from '../../../../extension/node/log/session-files.ts';
import { machine, RECORDING, session } from '../../../support/machine.ts';

test('what a recording has of settings is told, each thing once, and nothing of one that stays', async () => {
  const here = await machine();
  const { id } = await session(here);
  const calls = [
    ['policies.load', [{ decision: 'allow', scope: 'a', created: 1 }]],
    ['policies.load', [{ scope: 'a' }, { scope: 'b' }]],
    ['policies.load', 'damaged'],
    ['settings', { provider: { number: 1, name: 'x', origin: { baseUrl: 'http://10.1.2.3/v1' } } }],
    ['fallback', { provider: { number: 2, name: 'y' } }],
  ] as const;
  const entries = calls.flatMap(([name, value], id) => [
    { kind: 'start', id, name, given: '' },
    { kind: 'end', id, value },
  ]);
  const opening = { kind: 'open', past: 0, repairs: [], home: '/', has: [] };
  const lines = [opening, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join('');
  await writeFile(recordingOf(here.root, id), `${RECORDING}${lines}`);
  const setup = { approvals: ['a', 'b'], endpoints: ['http://10.1.2.3/v1'] };
  expect((await here.export(id)).summary).toMatchObject({ hasRecording: true, ...setup });
  await writeFile(recordingOf(here.root, id), `${RECORDING}${lines}${' '.repeat(10_000)}`);
  expect((await here.export(id, 12_000)).summary).toMatchObject({
    hasRecording: false,
    isRecordingUnfit: true,
    unfit: 1,
    approvals: [],
    endpoints: [],
  });
});
