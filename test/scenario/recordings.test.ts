// Recordings of each family of providers, made over real sockets. With HARNESS_MAKE_RECORDINGS=1 they are made anew.
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { Workspace } from '../../extension/core/ports/workspace.ts';
import { createProvider } from '../../extension/core/providers/create-provider.ts';
import { Router } from '../../extension/core/providers/router.ts';
import { replaySession } from '../../extension/core/recording/replay/replay-session.ts';
import { thisProduct } from '../../extension/core/recording/replay/this-product.ts';
import { allTools } from '../../extension/core/tools/all-tools.ts';
import { readRecordingFile } from '../../extension/node/recording/read-recording.ts';
import { systemClock } from '../../extension/node/system-clock.ts';
import { plain, playBytes } from '../../scripts/lib/wire/wire-server.ts';
import { expectEqual, expectReplay } from '../support/expect-replay.ts';
import { openRecorded } from '../support/open-recorded.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';
import { RECORDED_PREFIX } from '../support/stored-recording.ts';
import { tempDir } from '../support/temp-dir.ts';
import { findFixture, loadFixtures } from '../support/wire/fixtures.ts';

/** A reply with a call, then one with an answer. */
const FAMILIES = [
  { name: 'anthropic', model: 'anthropic/claude-x', folder: 'anthropic', replies: ['A09', 'A02'] },
  { name: 'codex', model: 'codex/gpt-5.6-sol', folder: 'responses', replies: ['R03', 'R02'] },
  { name: 'chat', model: 'deepseek/deepseek-x', folder: 'chat', replies: ['C18', 'C01'] },
  { name: 'lmstudio', model: 'lmstudio/any', folder: 'chat', replies: ['C02', 'C01'] },
  { name: 'ollama', model: 'ollama/qwen', folder: 'ollama', replies: ['O04', 'O02'] },
] as const;

const KEPT = join(import.meta.dirname, '../fixtures/recordings');
const KEY = 'sk-of-a-test-0123456789';

/** In a line of a log, within one of the recording. */
const PREFIX = /\\"prefix\\":\\"[0-9a-f]{64}\\"/;

const fileOf = (name: string) => join(KEPT, `${name}.jsonl`);

/** A run with this family, recorded into a file; its server is gone when this resolves. */
async function recordRun({ model, folder, replies }: (typeof FAMILIES)[number], path: string) {
  const fixtures = loadFixtures(folder);
  const before = folder === 'ollama' ? [plain(200, { capabilities: ['tools', 'thinking'] })] : [];
  const server = await playBytes({
    ...findFixture(fixtures, replies[0]),
    exchanges: [...before, ...replies.map((id) => findFixture(fixtures, id))],
  });
  const { ports, store, root, settings } = await scenario({ mode: 'bypass', readsFirst: true });
  const reference = new Router().resolve(model);
  const access = { apiKey: KEY, baseUrl: server.url, clock: systemClock };
  const provider = await createProvider(reference.entry, access);
  const log = await store.create({ cwd: root, product: 'test' });
  const past = async function* () {
    yield log.past.map((event) => JSON.stringify(event));
  };
  const { session, close } = await openRecorded(path, log, past(), { ...ports, clock: systemClock });
  const reason = await session.prompt('Go', settings(provider, { model: reference.model }));
  const asked = session.events.find((event) => event.type === 'request_started');
  const prefix = asked?.type === 'request_started' ? await log.blobs?.get(asked.prefix ?? '') : undefined;
  expectWellFormed(session.events);
  await Promise.all([close(), server.close()]);
  return { reason, prefix, types: session.events.map(({ type }) => type) };
}

test.each(FAMILIES)('$name: what came over a socket plays again without one', async (family) => {
  const isMade = process.env.HARNESS_MAKE_RECORDINGS === '1';
  const path = isMade ? fileOf(family.name) : join(await tempDir(), 'run.jsonl');
  await rm(path, { force: true });
  const { reason, types, prefix } = await recordRun(family, path);
  if (isMade && family.name === 'anthropic') await writeFile(RECORDED_PREFIX, prefix ?? '');
  expect(reason).toBe('done');
  expect(types).toEqual(expect.arrayContaining(['tool_call', 'tool_result', 'text']));
  const text = await readFile(path, 'utf8');
  expect(text, 'the bytes of the body, in pieces').toMatch(/"name":"wire\.body"/);
  expect(text).not.toContain(KEY);
  const asked = vi.fn<typeof fetch>().mockRejectedValue(new Error('no network here'));
  vi.stubGlobal('fetch', asked);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  await expectReplay(path);
  expect(asked).not.toHaveBeenCalled();
});

test.each(FAMILIES)('the recording of $name gives the same as when it was made', ({ name }) =>
  expectReplay(fileOf(name)),
);

test('a version with other tools plays what this one has recorded', async () => {
  const path = join(await tempDir(), 'run.jsonl');
  await recordRun(FAMILIES[0], path);
  expect(await readFile(path, 'utf8')).toMatch(PREFIX);
  const recording = await readRecordingFile(path);
  onTestFinished(() => recording.close());
  const tools = allTools.map((tool) => ({ ...tool, description: `${tool.description} And more.` }));
  const product = { ...thisProduct, tools };
  expectEqual(await replaySession(recording.session, { product, turn: () => systemClock.yield() }));
});

test.each([
  ['damaged', (text: string) => `${text}{"kind":`],
  ['cut off', (text: string) => text.slice(0, text.length / 2)],
])('no recording passes that is %s', async (_what, spoil) => {
  const path = join(await tempDir(), 'spoiled.jsonl');
  await writeFile(path, spoil(await readFile(fileOf('anthropic'), 'utf8')));
  await expect(expectReplay(path)).rejects.toThrow();
});

/** A workspace whose answers come in no order that anybody knows. */
function late(workspace: Workspace, waits: readonly number[]): Workspace {
  let next = 0;
  const wait = async () => {
    next += 1;
    await systemClock.sleep(waits[next % waits.length] ?? 0, new AbortController().signal);
  };
  return {
    roots: workspace.roots,
    trusted: () => workspace.trusted(),
    stat: async (path) => wait().then(() => workspace.stat(path)),
    realpath: async (path) => wait().then(() => workspace.realpath(path)),
    read: async (...asked) => wait().then(() => workspace.read(...asked)),
    stream: (...asked) => workspace.stream(...asked),
    list: async (...asked) => wait().then(() => workspace.list(...asked)),
    tree: async (...asked) => wait().then(() => workspace.tree(...asked)),
    search: async (...asked) => wait().then(() => workspace.search(...asked)),
    find: async (...asked) => wait().then(() => workspace.find(...asked)),
    near: async (...asked) => wait().then(() => workspace.near(...asked)),
    apply: async (change) => wait().then(() => workspace.apply(change)),
  };
}

test('however late the world answers, and whenever something is said, it plays again as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { minLength: 3, maxLength: 12 }),
      fc.nat(30),
      fc.constantFrom('steer', 'cancel', 'rename'),
      async (waits, after, act) => {
        const { ports, openLog, store, root, settings } = await scenario({ mode: 'bypass' });
        await writeFile(join(root, 'a.txt'), 'one\n');
        const log = await store.create({ cwd: root, product: 'test' });
        const workspace = late(ports.workspace, waits);
        const session = await openLog(log, { workspace, clock: systemClock });
        const read = ['read', { path: 'a.txt' }] as const;
        const model = new ScriptedModel(
          calls(1, read, ['write', { path: 'b.txt', content: 'b\n' }], ['list_dir', { path: '.' }]),
          calls(4, read),
          says('Done.'),
          says('Heard.'),
          says('Heard.'),
        );
        const run = session.prompt('Go', settings(model));
        await systemClock.sleep(after, new AbortController().signal);
        if (act === 'steer') void session.steer('And?', new AbortController().signal);
        else if (act === 'rename') await session.rename('Other');
        else session.cancel();
        await run;
        expectWellFormed(session.events);
      },
    ),
    { numRuns: 12 },
  );
});
