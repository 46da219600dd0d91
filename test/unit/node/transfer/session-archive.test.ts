import { createHash } from 'node:crypto';
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { CHAIN_START, link } from '../../../../extension/core/log/hash-chain.ts';
import { readPrefix } from '../../../../extension/core/log/request-prefix.ts';
import { ArchiveError } from '../../../../extension/node/archive/read-archive.ts';
import { AttachmentFiles } from '../../../../extension/node/composer/attachment-files.ts';
import { logOf, recordingOf } from '../../../../extension/node/log/session-files.ts';
import { verifyLog } from '../../../../extension/node/log/verify-log.ts';
import { verifySession } from '../../../../extension/node/transfer/verify-session.ts';
import { type EventDraft, LOG_VERSION } from '../../../../extension/protocol/events.ts';
import { pngOf } from '../../../support/images.ts';
import { headerLine, machine, RECORDING, session } from '../../../support/machine.ts';
import { random } from '../../../support/secret-samples.ts';

const TOKEN = `ghp_${random(36)}`;
const told = (...pieces: readonly string[]) =>
  [
    { kind: 'open', past: 0, repairs: [], home: '/', has: [] },
    { kind: 'start', id: 1, name: 'shell.run', given: '' },
    ...pieces.map((piece) => ({ kind: 'piece', id: 1, value: ['stdout', piece] })),
  ]
    .map((entry) => JSON.stringify(entry))
    .join('\n');

/** The lines of an archive. */
const linesOf = async (path: string) =>
  gunzipSync(await readFile(path))
    .toString()
    .split('\n');

test('a session goes to another machine whole, with the same chain, and continues there', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id, hash, image } = await session(here);
  const { path, summary } = await here.export(id);
  expect(summary).toEqual({
    events: 3,
    versions: 1,
    prefixes: 0,
    images: 1,
    hasRecording: true,
    isRecordingWithheld: false,
    isRecordingUnfit: false,
    approvals: [],
    endpoints: [],
    hidden: 0,
    withheld: 0,
    unfit: 0,
    missing: 0,
    unread: 0,
    isRepaired: false,
  });
  expect(await there.import(path)).toEqual({
    id,
    as: 'itself',
    events: 3,
    recovered: 0,
    isDamaged: false,
  });
  const [original, copy] = await Promise.all(
    [here, there].map(({ root }) => readFile(logOf(root, id), 'utf8')),
  );
  expect(copy?.startsWith(original ?? '-')).toBe(true);
  expect((await verifyLog(logOf(there.root, id))).problems).toEqual([]);
  expect(Buffer.from(await there.store.blobs(id).get(hash)).toString()).toBe('old text');
  expect(await new AttachmentFiles(there.root).read(image)).toBe(Buffer.from(pngOf(2, 2)).toString('base64'));
  expect(await readFile(recordingOf(there.root, id), 'utf8')).toBe(RECORDING);
  const log = await there.store.open(id);
  expect(log.repairs).toEqual([]);
  expect(log.past.slice(3)).toMatchObject([
    { type: 'imported', cwd: '/there', from: { session: id } },
    { type: 'notice', toModel: expect.stringContaining('/there') },
  ]);
  await log.append([{ type: 'user', content: 'more' }]);
  await log.close();
  expect((await verifyLog(logOf(there.root, id))).problems).toEqual([]);
  expect((await there.store.list())[0]).toMatchObject({ id, cwd: '/there', title: 'Look ✓' });
});

test('what requests began with goes along, is checked, and is no version of a file', async () => {
  const [here, there] = [await machine(), await machine()];
  const text = JSON.stringify({ system: 'Work.', tools: [] });
  const prefix = createHash('sha256').update(text).digest('hex');
  const began = { type: 'request_started', request: 1, provider: 'p', model: 'm', prefix } as const;
  const { id } = await session(here, began);
  expect(await verifySession(here.root, id)).toMatchObject({
    versions: 1,
    problems: [{ file: `blobs/${prefix}`, message: expect.stringContaining('system prompt and tools') }],
  });
  expect((await here.export(id)).summary).toMatchObject({ versions: 1, missing: 1 });
  const blobs = here.store.blobs(id);
  await blobs.put(Buffer.from(text));
  expect(await verifySession(here.root, id)).toMatchObject({ versions: 1, problems: [] });
  const { path, summary } = await here.export(id);
  expect(summary).toMatchObject({ versions: 1, missing: 0 });
  await there.import(path);
  expect(await readPrefix(there.store.blobs(id), prefix)).toEqual({ system: 'Work.', tools: [] });
  await writeFile(join(there.root, id, 'blobs', prefix), 'damaged');
  expect((await verifySession(there.root, id)).problems).toHaveLength(1);
  expect(await there.import(path)).toMatchObject({ as: 'here', recovered: 1 });
  expect((await verifySession(there.root, id)).problems).toEqual([]);
});

test('what is here already is not imported again; what has gone on elsewhere gets a name of its own', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  const { path } = await here.export(id);
  expect(await here.import(path)).toMatchObject({ id, as: 'here' });
  await there.import(path);
  expect(await there.import(path)).toMatchObject({ id, as: 'here' });
  const log = await there.store.open(id);
  await log.append([{ type: 'user', content: 'there' }]);
  await log.close();
  const back = await here.import((await there.export(id)).path, '/here');
  expect(back).toMatchObject({ as: 'copy', events: 6 });
  expect(back.id).not.toBe(id);
  expect((await verifyLog(logOf(here.root, back.id))).problems).toEqual([]);
  expect((await here.store.read(back.id)).filter(({ type }) => type === 'user')).toHaveLength(2);
  expect(await here.store.read(id)).toHaveLength(3);
});

test('what the session that is here has lost comes back from the file', async () => {
  const here = await machine();
  const { id, hash, image } = await session(here);
  const { path } = await here.export(id);
  await rm(join(here.root, id, 'blobs'), { recursive: true });
  await rm(join(here.root, image));
  await rm(recordingOf(here.root, id));
  expect((await verifySession(here.root, id)).problems).toHaveLength(2);
  expect(await here.import(path)).toMatchObject({ id, as: 'here', events: 3, recovered: 3 });
  expect((await verifySession(here.root, id)).problems).toEqual([]);
  expect(Buffer.from(await here.store.blobs(id).get(hash)).toString()).toBe('old text');
  expect(await readFile(recordingOf(here.root, id), 'utf8')).toBe(RECORDING);
  await writeFile(join(here.root, id, 'blobs', hash), 'damaged');
  expect(await here.import(path)).toMatchObject({ as: 'here', recovered: 1 });
  expect(await here.names()).toEqual([id, 'attachments']);
});

test('a damaged image is told, is left out of the file, and comes back from a good one', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id, image } = await session(here);
  const { path: good } = await here.export(id);
  const backup = `${good}.backup-session`;
  await rename(good, backup);
  await writeFile(join(here.root, image), Buffer.from(pngOf(2, 2)).fill(1, 20));
  expect(await verifySession(here.root, id)).toMatchObject({
    images: 0,
    problems: [{ file: image, message: 'This image is missing or damaged.' }],
  });
  const { path, summary } = await here.export(id);
  expect(summary).toMatchObject({ images: 0, missing: 1 });
  expect(await there.import(path)).toMatchObject({ id, as: 'itself' });
  expect(await here.import(backup)).toMatchObject({ as: 'here', recovered: 1 });
  expect((await verifySession(here.root, id)).problems).toEqual([]);
});

test('a log that was changed here is not the one in the file', async () => {
  const here = await machine();
  const { id } = await session(here);
  const { path } = await here.export(id);
  const log = await readFile(logOf(here.root, id), 'utf8');
  await writeFile(logOf(here.root, id), log.replace('Look', 'Lock'));
  const { as, id: other } = await here.import(path);
  expect(as).toBe('copy');
  expect(await readFile(logOf(here.root, other), 'utf8')).toContain('Look ✓');
});

describe('no secret leaves', () => {
  test('what an older version has written is cleaned, and chained anew', async () => {
    const [here, there] = [await machine(), await machine()];
    const { id } = await session(here, { type: 'text', content: `it is ${TOKEN}` });
    const { path, summary } = await here.export(id);
    expect(summary).toMatchObject({ hidden: 1, isRepaired: false });
    expect((await linesOf(path)).join()).not.toContain(TOKEN);
    expect(await there.import(path)).toMatchObject({ as: 'itself', events: 4 });
    expect((await verifyLog(logOf(there.root, id))).problems).toEqual([]);
  });

  test.each([
    ['in a line', JSON.stringify({ kind: 'x', text: TOKEN })],
    [
      'in bytes',
      JSON.stringify({ kind: 'blob', hash: '0', bytes: Buffer.from(`GH=${TOKEN}`).toString('base64') }),
    ],
    ['in two pieces', told(`GH=${TOKEN.slice(0, 20)}`, `${TOKEN.slice(20)} `)],
  ])('a recording with one %s stays', async (_where, line) => {
    const here = await machine();
    const { id } = await session(here);
    await writeFile(recordingOf(here.root, id), `${RECORDING}${line}\n`);
    const { path, summary } = await here.export(id);
    expect(summary).toMatchObject({ hasRecording: false, isRecordingWithheld: true });
    expect(await linesOf(path)).not.toContain(line);
  });

  test('a recording of the first version stays where its session had one, since it may lie there in pieces', async () => {
    const here = await machine();
    const plain = await session(here);
    const had = await session(here, { type: 'text', content: `it is [redacted:secret#1a2b]` });
    const withheld: boolean[] = [];
    for (const [{ id }, version] of [
      [plain, 1],
      [had, 2],
      [had, 1],
    ] as const) {
      await writeFile(recordingOf(here.root, id), headerLine(version));
      withheld.push((await here.export(id)).summary.isRecordingWithheld);
    }
    expect(withheld).toEqual([false, false, true]);
  });

  test('nor in what a provider has signed', async () => {
    const here = await machine();
    const opaque = { provider: 'p', model: 'm', data: { thinking: TOKEN, signature: 's' } };
    const { id } = await session(here, { type: 'reasoning', content: 'so', opaque });
    const { path, summary } = await here.export(id);
    expect(summary).toMatchObject({ hidden: 1 });
    expect((await linesOf(path)).join()).not.toContain(TOKEN);
  });

  test('nor in the name of a file', async () => {
    const here = await machine();
    const changes = [
      { path: `/here/${TOKEN}`, before: { kind: 'absent' }, after: { kind: 'absent' } },
    ] as const;
    const { id } = await session(
      here,
      { type: 'files_changed', id: 'c', by: 'tool', changes: [...changes] },
      { type: 'tool_result', id: 'c', result: '{}', isError: false, seen: { [`/here/${TOKEN}`]: 'a' } },
    );
    const { path, summary } = await here.export(id);
    expect(summary).toMatchObject({ hidden: 2 });
    expect((await linesOf(path)).join()).not.toContain(TOKEN);
  });

  test.each([
    ['a text', Buffer.from(`GH=${TOKEN}`)],
    ['no text', Buffer.concat([Buffer.from([0, 255, 128, 0]), Buffer.from(TOKEN), Buffer.from([0])])],
  ])('a version of a file with one stays, where it is %s', async (_what, bytes) => {
    const here = await machine();
    const log = await here.store.create({ cwd: '/here', product: 'test' });
    const hash = await log.blobs.put(bytes);
    const state = { kind: 'file', hash, size: 43, mode: 0o600 } as const;
    await log.append([{ type: 'checkpoint', id: 'c1', files: [{ path: '/here/.env', state }] }]);
    await log.close();
    const { path, summary } = await here.export(log.id);
    expect(summary).toMatchObject({ versions: 0, withheld: 1 });
    expect((await linesOf(path)).join()).not.toContain(Buffer.from(TOKEN).toString('base64').slice(8, 30));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });
});

test('a damaged log is exported as far as it is intact, and a session that is being written up to its last line', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  await appendFile(logOf(here.root, id), 'garbage\n{"type":"user","content":"half');
  const { path, summary } = await here.export(id);
  expect(summary).toMatchObject({ events: 3, isRepaired: true });
  expect(await there.import(path)).toMatchObject({ events: 3 });
  expect((await verifyLog(logOf(there.root, id))).problems).toEqual([]);
});

test('a log with lines of another version, and without anything beside it, goes there and back', async () => {
  const [here, there] = [await machine(), await machine()];
  const id = '20240101000000-old';
  const first = link(
    CHAIN_START,
    { type: 'session_started', version: 1, cwd: '/here', product: 'old' },
    id,
    1,
  );
  const second = link(first.head, { type: 'hologram', shape: 1 } as unknown as EventDraft, id, 2);
  await mkdir(join(here.root, id));
  await writeFile(logOf(here.root, id), `${first.line}\n${second.line}\n`);
  expect(await there.import((await here.export(id)).path)).toMatchObject({ id, events: 2 });
  expect(await readFile(logOf(there.root, id), 'utf8')).toContain(second.line);
});

test('a recording that is none, as a loss of power may leave it, is left out', async () => {
  const [here, there] = [await machine(), await machine()];
  const { id } = await session(here);
  await writeFile(recordingOf(here.root, id), '\0\0\0\n');
  expect(await there.import((await here.export(id)).path)).toMatchObject({ id, as: 'itself' });
  await expect(stat(recordingOf(there.root, id))).rejects.toThrow('ENOENT');
});

describe('nothing in the file is believed', () => {
  /** A line of the archive that holds these bytes by their right name. */
  function partOf(extension: string, content: Uint8Array): string {
    const bytes = Buffer.from(content);
    const hash = createHash('sha256').update(bytes).digest('hex');
    return JSON.stringify({ file: `attachments/${hash}.${extension}`, base64: bytes.toString('base64') });
  }

  /** Imports what `change` makes of the lines of a good archive; nothing may be there afterwards. */
  async function refused(change: (lines: string[]) => readonly string[] | Buffer): Promise<string> {
    const [here, there] = [await machine(), await machine()];
    const { id } = await session(here);
    const { path } = await here.export(id);
    const changed = change(await linesOf(path));
    await writeFile(path, Buffer.isBuffer(changed) ? changed : gzipSync(changed.join('\n')));
    const errorOf = (place: typeof here): Promise<unknown> =>
      place.import(path).then(
        () => undefined,
        (reason: unknown) => reason,
      );
    const error = await errorOf(there);
    expect(error).toBeInstanceOf(ArchiveError);
    expect(await there.names()).toEqual([]);
    // Also where the session is.
    expect(await errorOf(here)).toEqual(error);
    expect(await here.names()).toEqual([id, 'attachments']);
    return (error as Error).message;
  }
  const inLine = (index: number, from: string | RegExp, to: string) => (lines: string[]) =>
    lines.map((line, at) => (at === index ? line.replace(from, to) : line));

  test.each([
    ['no archive', () => Buffer.from('hello'), 'not a session that Harness exported'],
    ['another gzip', () => ['{"a":1}', ''], 'not a session that Harness exported'],
    ['an empty file', () => Buffer.alloc(0), 'not a session that Harness exported'],
    ['a newer format', inLine(0, '"version":1', '"version":2'), 'newer version'],
    [
      'a name that leads out',
      inLine(0, /"session":"[^"]*"/, '"session":"../../x"'),
      'its session ID is not valid',
    ],
    [
      'a name of another folder',
      inLine(0, /"session":"[^"]*"/, '"session":"attachments"'),
      'its session ID is not valid',
    ],
    [
      'a name that is too long',
      inLine(0, /"session":"[^"]*"/, `"session":"1${'x'.repeat(300)}"`),
      'its session ID is not valid',
    ],
    [
      'an event that was changed',
      inLine(3, 'Look', 'Lock'),
      'damaged on line 3: This record does not follow',
    ],
    ['another head', inLine(0, /"head":"./, '"head":"!'), 'events.jsonl'],
    ['a blob that was changed', inLine(10, /"base64":"../, '"base64":"AA'), 'blobs/'],
    ['a file that leads out', inLine(10, 'blobs/', '../../'), 'is not valid'],
    [
      'a second log',
      (lines: string[]) => lines.toSpliced(6, 0, ...lines.slice(1, 6)),
      '“events.jsonl” in this file is not valid',
    ],
    [
      'an image that is none',
      (lines: string[]) => lines.with(9, partOf('png', Buffer.from('no image'))),
      '.png” in this',
    ],
    ['an image of another kind', (lines: string[]) => lines.with(9, partOf('gif', pngOf(2, 2))), '.gif” in'],
    ['a log under another name', inLine(1, 'events.jsonl', 'lock'), '“lock”'],
    ['a missing line', (lines: string[]) => lines.toSpliced(8, 1), 'damaged or incomplete'],
    ['the last line missing', (lines: string[]) => lines.slice(0, -2), 'damaged or incomplete'],
    ['something behind it', (lines: string[]) => [...lines, 'x'], 'damaged or incomplete'],
  ])('%s', async (_what, change, message) => {
    expect(await refused(change)).toContain(message);
  });

  test('cut anywhere', async () => {
    const [here, there] = [await machine(), await machine()];
    const { path } = await here.export((await session(here)).id);
    const whole = await readFile(path);
    for (let cut = 0; cut < whole.length; cut += 7) {
      await writeFile(path, whole.subarray(0, cut));
      await expect(there.import(path)).rejects.toBeInstanceOf(ArchiveError);
    }
    expect(await there.names()).toEqual([]);
  });
});

test('where there is no such session or file, that is said', async () => {
  const place = await machine();
  await expect(place.export('nobody')).rejects.toThrow('The session “nobody” does not exist.');
  await expect(place.export('../x')).rejects.toThrow('does not exist');
  await expect(place.import('/nowhere/x')).rejects.toThrow('ENOENT');
});

test('a session of a newer version leaves whole, and is not brought in', async () => {
  const [here, there] = [await machine(), await machine()];
  const log = await here.store.create({ cwd: '/here', product: 'test' });
  await log.close();
  const begin = {
    type: 'session_started',
    version: LOG_VERSION + 1,
    cwd: '/here',
    product: 'later',
  } as const;
  await writeFile(logOf(here.root, log.id), `${link(CHAIN_START, begin, log.id, 1).line}\n`);
  const { path } = await here.export(log.id);
  await expect(there.import(path)).rejects.toThrow('Update Harness to import it');
  expect(await there.names()).toEqual([]);
});
