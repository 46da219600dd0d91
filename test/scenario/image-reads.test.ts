// Images of the workspace that the model reads.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { MAX_SENT_IMAGES } from '../../extension/core/context/image-limits.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { AttachmentFiles } from '../../extension/node/composer/attachment-files.ts';
import { logOf } from '../../extension/node/log/session-files.ts';
import { surveyLog } from '../../extension/node/log/survey-log.ts';
import { GIF, JPEG, PNG, pngOf, WEBP } from '../support/images.ts';
import { calls, expectWellFormed, golden, says, scenario } from '../support/scenario.ts';

const reads = (first: number, ...paths: string[]) =>
  calls(first, ...paths.map((path) => ['read', { path }] as const));

async function withAttachments() {
  const given = await scenario();
  const attachments = new AttachmentFiles(join(given.ports.home, 'sessions'));
  const log = await given.store.create({ cwd: given.root, product: 'test' });
  const session = await given.openLog(log, { attachments });
  const put = (name: string, bytes: Uint8Array) => writeFile(join(given.root, name), bytes);
  const resultsOf = async (...paths: string[]) => {
    await session.prompt('Look', given.settings(new ScriptedModel(reads(1, ...paths), says('Ok.'))));
    return session.events.flatMap((event) => (event.type === 'tool_result' ? [event.result] : []));
  };
  return { ...given, session, put, resultsOf };
}

test('the model sees the picture, and the log has its name alone', async () => {
  const { session, settings, put, root } = await withAttachments();
  await put('dot.png', PNG);
  const model = new ScriptedModel(reads(1, 'dot.png'), says('A red dot.'), says('Yes.'));
  await session.prompt('What is it?', settings(model));
  await session.prompt('Sure?', settings(model));
  const data = PNG.toString('base64');
  const image = { type: 'image', mediaType: 'image/png', data };
  const seen = { type: 'tool_result', content: '(the picture: image/png)', isError: false };
  for (const turn of model.turns.slice(1))
    expect(turn.messages[2]?.content).toMatchObject([{ ...seen, images: [image] }]);
  expect(JSON.stringify(session.events)).not.toContain(data);
  expectWellFormed(session.events);
  const path = join(import.meta.dirname, 'golden', 'image-read.jsonl');
  await expect(golden(session.events, root)).toMatchFileSnapshot(path);
});

test('an export has the picture', async () => {
  const { session, put, resultsOf, ports } = await withAttachments();
  await put('dot.png', PNG);
  const [result = ''] = await resultsOf('dot.png');
  const path = logOf(join(ports.home, 'sessions'), session.id);
  expect([...(await surveyLog(path)).attachments]).toEqual([JSON.parse(result).image]);
});

test('all four formats can be read, whatever they are called; any other binary file cannot', async () => {
  const { put, resultsOf } = await withAttachments();
  await Promise.all([put('a', GIF), put('b', WEBP), put('c', JPEG), put('d', Buffer.from([0, 1, 2, 0]))]);
  const results = await resultsOf('a', 'b', 'c', 'd');
  expect(results.map((result) => JSON.parse(result).mediaType)).toEqual([
    ...['image/gif', 'image/webp', 'image/jpeg'],
    undefined,
  ]);
  expect(results[3]).toContain('binary');
});

test.each([
  ['of too many pixels', pngOf(9_000, 10), '9000 × 10 pixels, at most 8000'],
  ['of too many bytes', Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]), 'is too large to be shown'],
  [
    'of more bytes than any file',
    Buffer.concat([PNG, Buffer.alloc(11 * 1024 * 1024)]),
    'is too large to be shown',
  ],
])('an image %s is an error that says so', async (_what, bytes, words) => {
  const { put, resultsOf } = await withAttachments();
  await put('large.png', bytes);
  const [result = ''] = await resultsOf('large.png');
  expect(JSON.parse(result).error).toContain(words);
  expect(JSON.parse(result).error).toContain('make a smaller copy');
});

test('images that the API would refuse together are refused one by one, in one reply too', async () => {
  const { put, session, settings } = await withAttachments();
  const count = MAX_SENT_IMAGES + 1;
  const paths = Array.from({ length: count }, (_, index) => `${index}.png`);
  await Promise.all(paths.map((path, index) => put(path, pngOf(1, index + 1))));
  const model = new ScriptedModel(reads(1, ...paths), says('Ok.'));
  await session.prompt('Look', settings(model, { maxToolCallsPerTurn: count }));
  const failed = session.events.filter((event) => event.type === 'tool_result' && event.isError);
  expect(failed).toMatchObject([{ result: expect.stringContaining(`has ${MAX_SENT_IMAGES} images`) }]);
});
