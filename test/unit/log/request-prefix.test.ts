import { expect, test } from 'vitest';
import { RequestPrefixes, readPrefix } from '../../../extension/core/log/request-prefix.ts';
import { MemoryBlobStore } from '../../../extension/core/ports/testing/memory-blob-store.ts';
import { SecretFilter } from '../../../extension/core/secrets/secret-filter.ts';
import { random } from '../../support/secret-samples.ts';

const tool = (name: string) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } });
const [read, write] = [tool('read'), tool('write')];
const grammar = { syntax: 'lark', definition: 'start: "x"' } as const;

function kept(filter = new SecretFilter()) {
  const blobs = new MemoryBlobStore();
  const puts: Promise<string>[] = [];
  const log = { keep: (bytes: Uint8Array) => void puts.push(blobs.put(bytes)) };
  const prefixes = new RequestPrefixes(log, { withoutSecrets: (value) => filter.data(value) });
  return { prefixes, blobs, puts };
}

test('what requests begin with is kept once for each that differs, also in its tools alone', async () => {
  const { prefixes, blobs, puts } = kept();
  const names = [
    prefixes.keep({ system: 'Work.', tools: [read] }),
    prefixes.keep({ system: 'Work.', tools: [read] }),
    prefixes.keep({ system: 'Work.', tools: [read, write] }),
    prefixes.keep({ system: 'Rest.', tools: [read] }),
    prefixes.keep({ system: 'Work.', tools: [read] }),
  ];
  expect(await Promise.all(puts)).toEqual([names[0], names[2], names[3]]);
  expect(new Set(names).size).toBe(3);
  expect([names[1], names[4]]).toEqual([names[0], names[0]]);
  expect(await readPrefix(blobs, names[2] ?? '')).toEqual({ system: 'Work.', tools: [read, write] });
});

test('of a tool, what the model is told is kept, and nothing else', async () => {
  const { prefixes, blobs } = kept();
  const patch = { ...tool('patch'), freeform: grammar };
  const name = prefixes.keep({ system: '', tools: [Object.assign({ prepare: () => {} }, patch)] });
  expect(await readPrefix(blobs, name)).toEqual({ system: '', tools: [patch] });
});

test('secrets are hidden in it', async () => {
  const token = `ghp_${random(36)}`;
  const { prefixes, blobs } = kept(new SecretFilter(['my very own key']));
  const told = { ...read, description: `Takes ${token}.` };
  const prefix = await readPrefix(blobs, prefixes.keep({ system: 'It is my very own key.', tools: [told] }));
  expect(prefix?.system).toMatch(/^It is \[redacted:.*\]\.$/);
  expect(prefix?.tools[0]?.description).toMatch(/^Takes \[redacted:github-token#\w{4}\]\.$/);
});

test.each(['', 'no JSON', 'null', '{"system":1,"tools":[]}', '{"system":"","tools":[{"name":"x"}]}'])(
  'a blob that is something else is no prefix: %s',
  async (text) => {
    const blobs = new MemoryBlobStore();
    expect(await readPrefix(blobs, await blobs.put(Buffer.from(text)))).toBeUndefined();
  },
);

test('a blob that is gone is no prefix', async () => {
  expect(await readPrefix(new MemoryBlobStore(), 'gone')).toBeUndefined();
});
