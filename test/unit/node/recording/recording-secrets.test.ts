// A recording leaves with its session whatever is long in it, unless that holds a secret.
import { createHash } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { recordingOf } from '../../../../extension/node/log/session-files.ts';
import { machine, session } from '../../../support/machine.ts';
import { random } from '../../../support/secret-samples.ts';

/** More than a line that is read as a whole has room for. */
const LONG = 13_000_002;
/** Bytes of a blob that are read at once. */
const STRETCH = (256 * 1024 * 3) / 4;

const text = () => Buffer.alloc(LONG, 'A line of it ends here.\n');
const noText = () => Buffer.alloc(LONG, Buffer.from([0, 255, 128, 7, 65]));
/** As editors on Windows write it. */
const utf16 = () => Buffer.from(`\ufeff${'A line. '.repeat(LONG / 16)}`, 'utf16le');

/** What an export tells of a recording with these bytes. */
async function exported(bytes: Buffer) {
  const here = await machine();
  const { id } = await session(here);
  const hash = createHash('sha256').update(bytes).digest('hex');
  const line = { kind: 'blob', hash, bytes: bytes.toString('base64') };
  await appendFile(recordingOf(here.root, id), `${JSON.stringify(line)}\n`);
  const { hasRecording, isRecordingWithheld } = (await here.export(id)).summary;
  return { hasRecording, isRecordingWithheld };
}

test.each([
  ['a text', text],
  ['no text', noText],
  ['a text of two bytes a character', utf16],
])('a recording of a file of 13 MB, %s, leaves with its session', async (_what, make) => {
  expect(await exported(make())).toEqual({ hasRecording: true, isRecordingWithheld: false });
});

test.each<[string, () => Buffer, number]>([
  ['at the end of a text', text, LONG - 60],
  ['in no text', noText, 9_000_000],
  ['over a boundary', text, 40 * STRETCH - 20],
  ['a byte later', text, 40 * STRETCH - 19],
  ['two bytes later', text, 40 * STRETCH - 18],
  ['over a boundary in no text', noText, 40 * STRETCH - 20],
  ['over a boundary in a text of two bytes a character', utf16, 40 * STRETCH - 20],
])('one with a secret %s stays', async (_where, make, at) => {
  const bytes = make();
  bytes.write(` GH=ghp_${random(36)} `, at, make === utf16 ? 'utf16le' : 'latin1');
  expect(await exported(bytes)).toEqual({ hasRecording: false, isRecordingWithheld: true });
});
