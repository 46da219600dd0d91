import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { versionOf } from '../../../../extension/core/base/content-hash.ts';
import { CHAIN_START, hashLine } from '../../../../extension/core/log/hash-chain.ts';
import { SessionBusyError } from '../../../../extension/core/ports/session-store.ts';
import { ManualClock } from '../../../../extension/core/ports/testing/manual-clock.ts';
import { LogOffsets } from '../../../../extension/node/log/log-offsets.ts';
import { JsonlSessionLog } from '../../../../extension/node/sessions/jsonl-session-log.ts';
import { JsonlSessionStore } from '../../../../extension/node/sessions/jsonl-session-store.ts';
import { SessionLock } from '../../../../extension/node/sessions/session-lock.ts';
import type { EventDraft } from '../../../../extension/protocol/events.ts';
import { failure, watchFiles } from '../../../support/files.ts';
import { makeGate } from '../../../support/gate.ts';
import { logWith, newStore, START } from '../../../support/stored-log.ts';
import { tempDir } from '../../../support/temp-dir.ts';

test('each line carries the hash of the line before it, and seq counts from 1', async () => {
  const { path } = await logWith(['one', 'two']);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const events = lines.map((line) => JSON.parse(line) as { seq: number; prev: string; type: string });
  expect(events.map((event) => event.seq)).toEqual([1, 2, 3]);
  expect(events.map((event) => event.prev)).toEqual(['', hashLine(lines[0] ?? ''), hashLine(lines[1] ?? '')]);
  expect(events[0]).toMatchObject({ type: 'session_started', version: 1, cwd: '/repo' });
});

test('appends that are made at once keep their order and the chain', async () => {
  const { store, id, path } = await logWith([]);
  const log = await store.open(id);
  await Promise.all(Array.from({ length: 200 }, (_, n) => log.append([{ type: 'user', content: `p${n}` }])));
  await log.close();
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  expect(lines).toHaveLength(201);
  for (const [index, line] of lines.entries()) {
    expect((JSON.parse(line) as { prev: string }).prev).toBe(
      index === 0 ? '' : hashLine(lines[index - 1] ?? ''),
    );
  }
});

test('cut at every byte, the log opens with every intact event, goes on, and keeps the damaged bytes', async () => {
  const { root, store, id, path } = await logWith(['one', 'two ✓']);
  const whole = await readFile(path);
  const ends = [...whole.entries()].filter(([, byte]) => byte === 10).map(([index]) => index + 1);
  for (let cut = 0; cut <= whole.length; cut++) {
    await writeFile(path, whole.subarray(0, cut));
    const log = await store.open(id);
    const intact = ends.filter((end) => end <= cut || end - 1 === cut).length;
    // Where nothing is left, there is a new beginning.
    expect(log.past, `cut at ${cut}`).toHaveLength(Math.max(intact, 1));
    const clean = ends.includes(cut) || ends.includes(cut + 1);
    expect(log.repairs, `cut at ${cut}`).toHaveLength(clean ? 0 : 1);
    await log.append([{ type: 'user', content: 'after' }]);
    await log.close();
    expect(await store.read(id)).toHaveLength(Math.max(intact, 1) + 1);
    const again = await store.open(id);
    expect(again.repairs, 'told once').toEqual([]);
    await again.close();
  }
  expect((await readdir(join(root, id))).some((name) => name.includes('damaged'))).toBe(true);
});

test('a damaged line in the middle is set aside, its neighbours stay', async () => {
  const { root, store, id, path } = await logWith(['one', 'two', 'three']);
  const lines = (await readFile(path, 'utf8')).split('\n');
  lines[2] = lines[2]?.replace('"user"', '"us\u0000') ?? '';
  await writeFile(path, lines.join('\n'));
  const log = await store.open(id);
  expect(log.past.map((event) => event.type === 'user' && event.content)).toEqual([false, 'one', 'three']);
  expect(log.repairs[0]).toMatch(/1 record of this session could not be read.*kept as/);
  await log.close();
  const aside = (await readdir(join(root, id))).find((name) => name.includes('damaged'));
  expect(await readFile(join(root, id, aside ?? ''), 'utf8')).toBe(lines.join('\n'));
});

test('an event of a later version is kept and skipped', async () => {
  const { store, id, path } = await logWith(['one']);
  const prev = hashLine((await readFile(path, 'utf8')).trimEnd().split('\n').at(-1) ?? '');
  await appendFile(
    path,
    `${JSON.stringify({ type: 'hologram', timestamp: 1, session: id, seq: 3, prev })}\n`,
  );
  const log = await store.open(id);
  expect(log.past).toHaveLength(2);
  expect(log.repairs).toEqual([]);
  const [event] = await log.append([{ type: 'user', content: 'two' }]);
  expect(event?.seq).toBe(4);
  await log.close();
  expect(await readFile(path, 'utf8')).toContain('hologram');
});

test('what was acknowledged survives kill -9', async () => {
  const root = await tempDir();
  const child = fork(join(import.meta.dirname, '../../../support/append-until-killed.ts'), [root], {
    execArgv: ['--experimental-transform-types', '--no-warnings'],
  });
  let acknowledged = 0;
  child.on('message', (count: number) => {
    acknowledged = count;
    if (count >= 200) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  const store = new JsonlSessionStore(root, new ManualClock());
  const [session] = await store.list();
  const log = await store.open(session?.id ?? '');
  const prompts = log.past.filter((event) => event.type === 'user').map((event) => event.content);
  expect(prompts.length).toBeGreaterThanOrEqual(acknowledged);
  expect(prompts).toEqual(prompts.map((_, index) => `prompt ${index + 1}`));
  await log.close();
});

test('the list shows titles, newest first, and no folder that holds no session', async () => {
  const { root, store, id } = await logWith(['Fix the date test\nplease']);
  await mkdir(join(root, 'not-a-session'));
  expect(await store.list()).toEqual([
    {
      id,
      title: 'Fix the date test',
      cwd: '/repo',
      updated: 1_700_000_000_000,
      prompts: 1,
      state: 'idle',
    },
  ]);
});

test.each(['missing', '../x', ''])('there is no session “%s”', async (id) => {
  const { store } = await newStore();
  await expect(store.open(id)).rejects.toThrow('does not exist');
});

test('a log that cannot be written says so, and holds what was given to it', async () => {
  const root = await tempDir();
  const lock = new SessionLock(join(root, '1', 'lock'));
  await lock.hold();
  await symlink('/dev/full', join(root, '1', 'events.jsonl'));
  const start = { past: [], repairs: [], head: CHAIN_START, places: new LogOffsets() };
  const log = new JsonlSessionLog(root, '1', start, new ManualClock(), lock);
  expect(log.trouble).toBeUndefined();
  const [one] = await log.append([{ type: 'user', content: 'one' }]);
  expect(log.trouble).toContain('ENOSPC');
  const [two] = await log.append([{ type: 'user', content: 'two' }]);
  expect([one?.seq, two?.seq]).toEqual([1, 2]);
  await expect(log.sync()).rejects.toThrow('ENOSPC');
  await expect(log.close()).rejects.toThrow('could not be written');
});

test('a record that somebody changed is noticed by the chain, and told once', async () => {
  const { store, id, path } = await logWith(['one', 'two']);
  await writeFile(path, (await readFile(path, 'utf8')).replace('"one"', '"own"'));
  const log = await store.open(id);
  expect(log.repairs[0]).toContain('its hash chain is broken');
  await log.append([{ type: 'notice', message: log.repairs[0] ?? '' }]);
  await log.close();
  const again = await store.open(id);
  expect(again.repairs).toEqual([]);
  await again.close();
});

test.each([
  ['the end was cut off', (log: string) => `${log}{"type":"tex`],
  ['a record was destroyed', (log: string) => log.replace('"content":"two"', '"content":"tw')],
])('what is changed after %s is told, too, and once', async (_, damage) => {
  const { store, id, path } = await logWith(['one', 'two', 'three', 'four']);
  const change = async (of: (log: string) => string) => writeFile(path, of(await readFile(path, 'utf8')));
  const told = async () => {
    const log = await store.open(id);
    await log.append(log.repairs.map((message) => ({ type: 'notice', message })));
    await log.append([
      { type: 'user', content: 'never' },
      { type: 'text', content: 'ok' },
    ]);
    await log.close();
    return log.repairs;
  };
  await change(damage);
  expect(await told()).toEqual([expect.stringContaining('is kept as')]);
  expect(await told()).toEqual([]);
  await change((log) => log.replaceAll('never', 'gladly'));
  expect(await told()).toEqual([expect.stringContaining('its hash chain is broken')]);
  expect(await told()).toEqual([]);
  await change((log) => log.replaceAll('never', 'gladly'));
  expect(await told()).toEqual([expect.stringContaining('its hash chain is broken')]);
});

test('what is changed before a cut-off end was told is told, too', async () => {
  const { store, id, path } = await logWith(['never', 'two']);
  await appendFile(path, '{"type":"tex');
  const log = await store.open(id);
  await log.append(log.repairs.map((message) => ({ type: 'notice', message })));
  await log.close();
  await writeFile(path, (await readFile(path, 'utf8')).replace('never', 'gladly'));
  const again = await store.open(id);
  expect(again.repairs).toEqual([expect.stringContaining('its hash chain is broken')]);
  await again.close();
});

test.each([
  ['removed', (folder: string) => rm(folder, { recursive: true })],
  ['moved away', (folder: string) => rename(folder, `${folder}-elsewhere`)],
])('a session whose folder is %s while it is open is written anew, and says so', async (_, lose) => {
  const { root, store, id, path } = await logWith(['one', 'two ✓']);
  const log = await store.open(id);
  await lose(join(root, id));
  await log.append([{ type: 'user', content: 'three' }]);
  await lose(join(root, id)).catch(() => rm(join(root, id), { recursive: true }));
  await log.append([{ type: 'user', content: 'four' }]);
  await expect(store.open(id)).rejects.toThrow(SessionBusyError);
  await log.close();
  const again = await store.open(id);
  expect(again.repairs).toEqual([]);
  const said = again.past.flatMap((event) => (event.type === 'user' ? [event.content] : []));
  expect(said).toEqual(['one', 'two ✓', 'three', 'four']);
  expect(again.past.filter(({ type }) => type === 'notice')).toHaveLength(2);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  await again.close();
});

const filler = { type: 'text', content: 'x'.repeat(100_000) } as const;
const prompt = { type: 'user', content: 'Prompt' } as const;

async function longLog(...drafts: readonly EventDraft[]) {
  const { store, id, path } = await logWith(['first']);
  const log = await store.open(id);
  for (const draft of drafts) await log.append([draft]);
  await log.close();
  return { store, id, path };
}

test('the end of a long log is what follows the first prompt that is near', async () => {
  const many = Array.from({ length: 8 }, () => filler);
  const { store, id, path } = await longLog(prompt, ...many, prompt, filler, prompt, filler);
  const seqs = async () => (await store.readEnd(id)).events.map(({ seq }) => seq);
  expect(await seqs()).toEqual([12, 13, 14, 15]);
  const lines = (await readFile(path, 'utf8')).split('\n');
  await writeFile(path, lines.map((line, index) => (index === 12 ? 'damaged' : line)).join('\n'));
  expect(await seqs()).toEqual([12, 14, 15]);
  await appendFile(path, '{"type":"user","con');
  expect(await seqs()).toEqual([12, 14, 15]);
});

test('in a run that is longer than the end, that begins with a request', async () => {
  const request = (n: number) =>
    ({ type: 'request_started', request: n, provider: 'demo', model: 'demo' }) as const;
  const run = Array.from({ length: 8 }, (_, n) => [request(n + 1), filler] as const).flat();
  const { store, id } = await longLog(prompt, ...run);
  expect((await store.readEnd(id)).events.map(({ type }) => type)).toEqual([
    'request_started',
    'text',
    'request_started',
    'text',
  ]);
});

test('the end of a long log has its title: as it was named, was listed, or was first asked', async () => {
  const many = Array.from({ length: 8 }, () => filler);
  const { store, id } = await longLog(...many, prompt, filler);
  const titleAtEnd = async () => (await store.readEnd(id)).title;
  expect(await titleAtEnd()).toBe('first');
  const append = async (...drafts: readonly EventDraft[]) => {
    const log = await store.open(id);
    await log.append(drafts);
    await log.close();
  };
  await append({ type: 'title', title: 'Named' });
  expect(await titleAtEnd()).toBe('Named');
  await store.list();
  await append(...many, prompt, filler);
  expect(await titleAtEnd()).toBe('Named');
});

test('the title of a long log that begins with an image is what was said after it', async () => {
  const image: EventDraft = { type: 'user', content: '', attachments: ['images/dot.png'] };
  const titleOf = async (...drafts: readonly EventDraft[]) => {
    const { store, id } = await logWith([]);
    const log = await store.open(id);
    for (const draft of [image, ...drafts]) await log.append([draft]);
    await log.close();
    return (await store.readEnd(id)).title;
  };
  const many = Array.from({ length: 8 }, () => filler);
  expect(await titleOf(...many, image, filler)).toBe('Image');
  expect(await titleOf(prompt, ...many, image, filler)).toBe(prompt.content);
});

test('a short log has no end of its own, nor has one without a prompt near it', async () => {
  const short = await longLog(prompt, filler, filler);
  expect((await short.store.readEnd(short.id)).events).toEqual([]);
  const run = await longLog(prompt, ...Array.from({ length: 8 }, () => filler));
  expect((await run.store.readEnd(run.id)).events).toEqual([]);
  await expect(run.store.readEnd('none')).rejects.toThrow('does not exist');
});

const asks = (text: string) =>
  ({
    type: 'request_started',
    request: 1,
    provider: 'test',
    model: 'test',
    prefix: versionOf(Buffer.from(text)),
  }) as const;

test('what is kept is a blob before the event that names it is written, and nothing else waits for it', async () => {
  const { root, store } = await newStore();
  const log = await store.create(START);
  const way = makeGate();
  const asked = makeGate();
  onTestFinished(
    watchFiles(join(root, log.id, 'blobs'), async (_, perform) => {
      asked.open();
      await way.opened;
      return perform();
    }),
  );
  log.keep(Buffer.from('kept'));
  const named = log.append([asks('kept')]);
  await asked.opened;
  await log.append([{ type: 'user', content: 'Hi' }]);
  expect((await store.read(log.id)).map(({ type }) => type)).toEqual(['session_started', 'user']);
  way.open();
  expect(await named).toMatchObject([asks('kept')]);
  await log.close();
  expect(Buffer.from(await store.blobs(log.id).get(versionOf(Buffer.from('kept')))).toString()).toBe('kept');
  expect((await store.open(log.id)).repairs, 'the chain is whole').toEqual([]);
});

test('where what is kept cannot be written, the event does not name it, and the next one that does tries again', async () => {
  const { root, store } = await newStore();
  const log = await store.create(START);
  let isBroken = true;
  const stop = watchFiles(join(root, log.id), async ({ name, path }, perform) => {
    if (isBroken && /blobs/.test(path)) throw failure(name, path);
    return perform();
  });
  onTestFinished(stop);
  log.keep(Buffer.from('kept'));
  const { prefix: _, ...unnamed } = asks('kept');
  const [told, event] = await log.append([asks('kept')]);
  expect(told).toMatchObject({ type: 'notice', message: expect.stringContaining('Could not store') });
  expect(event).toMatchObject(unnamed);
  expect(event).not.toHaveProperty('prefix');
  expect(log.trouble).toBeUndefined();
  isBroken = false;
  expect(await log.append([asks('kept')])).toMatchObject([asks('kept')]);
  await log.close();
  expect(await store.blobs(log.id).has(versionOf(Buffer.from('kept')))).toBe(true);
});

test('a log whose blobs cannot be written is closed all the same', async () => {
  const { root, store } = await newStore();
  const log = await store.create(START);
  await log.append([{ type: 'user', content: 'Hi' }]);
  await writeFile(join(root, log.id, 'blobs'), 'in the way');
  log.keep(Buffer.from('kept'));
  await log.close();
  expect(await store.read(log.id)).toHaveLength(2);
});

test('a fork has the bytes that its events name, also when the first session is gone', async () => {
  const { root, store } = await newStore();
  const log = await store.create(START);
  const [kept, later] = [await log.blobs.put(Buffer.from('kept')), await log.blobs.put(Buffer.from('later'))];
  const prefix = await log.blobs.put(Buffer.from('{}'));
  const fileOf = (hash: string) => ({ kind: 'file', hash, size: 4, mode: 0o644 }) as const;
  await log.append([
    { type: 'checkpoint', id: 'call', files: [{ path: '/repo/a', state: fileOf(kept) }] },
    { type: 'request_started', request: 1, provider: 'demo', model: 'demo', prefix },
    { type: 'user', content: 'two' },
    { type: 'checkpoint', id: 'next', files: [{ path: '/repo/a', state: fileOf(later) }] },
  ]);
  await log.close();
  const fork = await store.fork(log.id, 4, START);
  await rm(join(root, log.id), { recursive: true });
  expect(Buffer.from(await fork.blobs.get(kept)).toString()).toBe('kept');
  expect(Buffer.from(await fork.blobs.get(prefix)).toString()).toBe('{}');
  expect(await store.blobs(fork.id).has(later)).toBe(false);
  await fork.close();
});
