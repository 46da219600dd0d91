import { expect, test } from 'vitest';
import {
  imageFormat,
  imagesSentAgain,
  MAX_SENT_BYTES,
  problemWithImages,
  type SentImage,
} from '../../../extension/core/context/image-limits.ts';
import { Images } from '../../../extension/core/context/images.ts';
import type { Message } from '../../../extension/core/ports/model.ts';
import { JPEG, PNG, WEBP } from '../../support/images.ts';
import { storedEvents } from '../../support/panel-events.ts';

/** The beginning of a WebP whose first chunk is of this kind. */
const webp = (kind: string, data: string) =>
  Buffer.concat([Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'), Buffer.from(data, 'hex')]);

test.each([
  ['PNG', PNG, 'png', 1, 1],
  ['JPEG', JPEG, 'jpg', 16, 8],
  ['lossy WebP', WEBP, 'webp', 1, 1],
  // The two highest bits of each side say how it is to be scaled.
  ['lossy WebP that is scaled', webp('VP8 ', '0000009d012a205360c4'), 'webp', 0x1320, 0x0460],
  // 4,999 and 2,999 × 2¹⁴ together are 0x2edd387.
  ['lossless WebP', webp('VP8L', '2f87d3ed020000000000'), 'webp', 5000, 3000],
  ['extended WebP', webp('VP8X', '00000000871300b60b00'), 'webp', 5000, 2999],
  ['WebP with an unknown chunk', webp('????', '00000000871300b60b00'), 'webp', undefined, undefined],
  ['WebP that is cut off', webp('VP8X', '0000'), 'webp', undefined, undefined],
])('the size of an image is read from its beginning: %s', (_what, bytes, extension, width, height) => {
  expect(imageFormat(bytes)).toMatchObject({ extension, ...(width && { width, height }) });
  expect(imageFormat(bytes)?.width).toBe(width);
});

test('what is sent again are the images of the prompts since the last summary', () => {
  const prompt = (...attachments: string[]) => ({ type: 'user', content: '', attachments }) as const;
  const events = storedEvents([
    prompt('a'),
    { type: 'compaction', summary: 'x', through: 1 },
    prompt('b', 'c'),
    { type: 'user', content: '' },
    prompt('b'),
  ]);
  expect(imagesSentAgain(events)).toEqual(['b', 'c', 'b']);
});

const images = (count: number, more: Partial<SentImage> = {}): SentImage[] =>
  Array.from({ length: count }, (_, index) => ({
    name: String(index),
    bytes: 1,
    width: 1,
    height: 1,
    ...more,
  }));

test.each([
  ['nothing', [], undefined],
  ['20 large images', images(20, { height: 8_000 }), undefined],
  ['21 with one that is large', [...images(20), ...images(1, { width: 2_001 })], 'pixels'],
  ['100 small ones', images(100, { width: 2_000 }), undefined],
  ['101', images(101), 'count'],
  ['as many bytes as are taken', images(3, { bytes: MAX_SENT_BYTES / 3 }), undefined],
  ['more bytes', images(5, { bytes: 5 * 1024 * 1024 }), 'bytes'],
  ['images of unknown size', images(30).map(({ name, bytes }) => ({ name, bytes })), undefined],
])('a request with %s', (_what, sent, problem) => {
  expect(problemWithImages(sent)?.kind).toBe(problem);
});

test('whatever becomes of the history, each request has its messages, with the images in them', async () => {
  const say = (text: string): Message => ({ role: 'user', content: [{ type: 'text', text }] });
  const show = (name: string, data?: string): Message => ({
    role: 'user',
    content: [{ type: 'image', name, mediaType: 'image/png', ...(data && { data }) }],
  });
  const [first, second, picture] = [say('one'), say('two'), show('a.png')];
  const images = new Images({ read: async (name) => `bytes of ${name}`, keep: async (_, title) => title });
  const seen = show('a.png', 'bytes of a.png');
  expect(await images.load([first, picture])).toEqual([first, seen]);
  expect(await images.load([first, picture, second])).toEqual([first, seen, second]);
  expect(await images.load([first, second])).toEqual([first, second]);
  expect(await images.load([second, picture])).toEqual([second, seen]);
  expect(await images.load([])).toEqual([]);
  expect(await images.load([picture])).toEqual([seen]);
});
