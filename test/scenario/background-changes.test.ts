// What a command changes after its call has returned stands in the log, and can be taken back.
import { readFileSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { undoStackOf } from '../../extension/core/checkpoints/undo-stack.ts';
import type { ModelEvent } from '../../extension/core/ports/model.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import type { Session } from '../../extension/core/session/session.ts';
import { NodeBackground } from '../../extension/node/processes/node-background.ts';
import { NodeWorkspaceScan } from '../../extension/node/scan/node-workspace-scan.ts';
import {
  calls,
  expectWellFormed,
  golden,
  type Scenario,
  type ScenarioOptions,
  says,
  scenario,
} from '../support/scenario.ts';
import { until } from '../support/until.ts';

/** Waits for a file beside the workspace, and ends by itself if the test forgets it. */
const waitFor = (name: string) => `for i in $(seq 1200); do [ -e ../${name} ] && break; sleep 0.02; done`;
const IN_DOUBT = 'another program that ran at the same time may have changed it';

async function desk(options: ScenarioOptions = {}) {
  const place = await scenario({ mode: 'bypass', ...options });
  const { session, root, settings } = place;
  const at = (name: string) => join(root, name);
  await writeFile(at('notes.txt'), 'old\n');
  return {
    ...place,
    at,
    has: (name: string, text: string) => until(() => textIn(at(name)) === text),
    /** Afterwards the log has the first report on a command that was started. */
    say: async (...replies: readonly ModelEvent[][]) => {
      await session.prompt('Go', settings(new ScriptedModel(...replies, says('Done.'))));
      await session.reportBackground();
    },
    go: (name: string) => writeFile(at(`../${name}`), ''),
  };
}

function textIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Each change that the log has: the call, the path, and whether it is in doubt. */
function changesIn({ session, root }: Pick<Scenario, 'session' | 'root'>): string[] {
  return session.events.flatMap((event) =>
    event.type === 'files_changed'
      ? event.changes.map(
          ({ path, shared }) => `${event.id} ${path.slice(root.length + 1)}${shared ? ', in doubt' : ''}`,
        )
      : [],
  );
}

/** “Undo Last Run”, by a user who wants every file back that is in doubt. */
async function undo(session: Session) {
  await session.reportBackground();
  const { undoTo = 0 } = undoStackOf(session.events);
  const plan = await session.planRestore(undoTo);
  const choices = new Map(plan.map(({ path }) => [path, 'restore'] as const));
  return { plan, restored: await session.restore({ to: undoTo, plan, choices }) };
}

const background = (command: string) => calls(1, ['bash', { command, background: true }]);

test('what a background command changes after its call returned is undone by Undo', async () => {
  const place = await desk();
  const { session, say, go, has, at, root } = place;
  await say(background(`${waitFor('go')}; echo new > notes.txt; echo made > made.txt; ${waitFor('end')}`));
  expect(changesIn(place)).toEqual([]);
  await go('go');
  await has('made.txt', 'made\n');
  const { plan, restored } = await undo(session);
  expect(plan.map(({ step }) => step)).toEqual([
    { kind: 'conflict', why: IN_DOUBT },
    { kind: 'conflict', why: IN_DOUBT },
  ]);
  expect(restored.map(({ outcome }) => outcome)).toEqual(['identical', 'identical']);
  expect(await readdir(root)).toEqual(['notes.txt']);
  expect(await readFile(at('notes.txt'), 'utf8')).toBe('old\n');
  await go('end');
  await until(() => session.events.some(({ type }) => type === 'background_ended'));
  expect(changesIn(place).filter((change) => change.startsWith('call'))).toEqual([
    'call_1 made.txt, in doubt',
    'call_1 notes.txt, in doubt',
  ]);
  expectWellFormed(session.events);
  const log = golden(session.events, root)
    .replaceAll(place.ports.home, '<home>')
    .replaceAll(session.id, '<session>')
    .replace(/"pid":\d+,"started":"[^"]*","mark":"[^"]*"/g, '"pid":1,"started":"<start>","mark":"<mark>"');
  await expect(log).toMatchFileSnapshot('./golden/background-changes.jsonl');
});

test('a look and the end of the command log what is new', async () => {
  const place = await desk();
  await place.say(background(`${waitFor('one')}; echo 1 > first; ${waitFor('two')}; echo 2 > second`));
  await place.go('one');
  await place.has('first', '1\n');
  await place.say(calls(2, ['bash_output', { id: 'bg1' }]));
  expect(changesIn(place)).toEqual(['call_1 first, in doubt']);
  await place.go('two');
  await until(() => place.session.events.some(({ type }) => type === 'background_ended'));
  expect(changesIn(place)).toEqual(['call_1 first, in doubt', 'call_1 second, in doubt']);
});

test('what a moved command changes after it was moved is in the log', async () => {
  const place = await desk();
  const { session } = place;
  const command = `echo 1 > first; echo moved; ${waitFor('go')}; echo 2 > second`;
  session.subscribe({
    onDelta: (delta) => delta.type === 'tool_output_delta' && session.actOnCall(delta.id, 'background'),
  });
  await place.say(calls(1, ['bash', { command }]));
  await session.reportBackground();
  expect(changesIn(place)).toEqual(['call_1 first']);
  await place.go('go');
  await until(() => session.events.some(({ type }) => type === 'background_ended'));
  expect(changesIn(place)).toEqual(['call_1 first', 'call_1 second, in doubt']);
});

test('later calls come after it in the log, and have their own changes alone', async () => {
  const place = await desk();
  const { session } = place;
  await place.say(background(`${waitFor('go')}; echo new > notes.txt; ${waitFor('end')}`));
  await place.go('go');
  await place.has('notes.txt', 'new\n');
  await place.say(
    calls(2, ['edit', { path: 'notes.txt', old_string: 'new', new_string: 'edited' }]),
    calls(3, ['bash', { command: 'echo more >> notes.txt' }]),
  );
  expect(changesIn(place)).toEqual(['call_1 notes.txt, in doubt', 'call_2 notes.txt', 'call_3 notes.txt']);
  const plan = await session.planRestore(1);
  await session.restore({ to: 1, plan, choices: new Map([[place.at('notes.txt'), 'restore']]) });
  expect(await readFile(place.at('notes.txt'), 'utf8')).toBe('old\n');
});

test('what changes before a command of the session begins is in the log before that command’s', async () => {
  const place = await desk();
  await place.say(background(`${waitFor('go')}; echo new > notes.txt; ${waitFor('end')}; touch ../ended`));
  await place.go('go');
  await place.has('notes.txt', 'new\n');
  await place.say(
    calls(2, [
      'bash',
      { command: 'echo more >> notes.txt; touch ../end; until [ -e ../ended ]; do sleep 0.02; done' },
    ]),
  );
  await until(() => place.session.events.some(({ type }) => type === 'background_ended'));
  expect(changesIn(place)).toEqual(['call_1 notes.txt, in doubt', 'call_2 notes.txt']);
});

test('two commands in the background do not both have a change', async () => {
  const place = await desk();
  const wanted = ['go', 'never'].map(
    (name) => ['bash', { command: `${waitFor(name)}; echo 1 > ${name}`, background: true }] as const,
  );
  await place.say(calls(1, ...wanted));
  await place.go('go');
  await until(() => place.session.events.some(({ type }) => type === 'background_ended'));
  await place.session.reportBackground();
  expect(changesIn(place)).toHaveLength(1);
  expect(changesIn(place)[0]).toMatch(/^call_[12] go, in doubt$/);
});

/** Another process: it has its own scan, and did not start the command. */
async function nextProcess(place: Scenario): Promise<Session> {
  const scan = new NodeWorkspaceScan({ roots: () => [place.root], home: place.ports.home });
  onTestFinished(() => scan.close());
  const log = await place.store.open(place.session.id);
  return place.openLog(log, { scan, background: new NodeBackground() });
}

test('the next process logs what the command has changed in between, and goes on', async () => {
  const place = await desk({ endsOnLeave: false });
  await place.say(background(`${waitFor('one')}; echo 1 > first; ${waitFor('two')}; echo 2 > second`));
  await place.session.close();
  await place.go('one');
  await place.has('first', '1\n');
  const session = await nextProcess(place);
  await session.reportBackground();
  const next = { ...place, session };
  expect(changesIn(next)).toEqual(['call_1 first, in doubt']);
  await place.go('two');
  await until(() => session.events.some(({ type }) => type === 'background_ended'));
  expect(changesIn(next)).toEqual(['call_1 first, in doubt', 'call_1 second, in doubt']);
});

test('where nothing can be known of the time in between, the log says so', async () => {
  const place = await desk({ endsOnLeave: false });
  await place.say(background(`${waitFor('go')}; echo 1 > first`));
  await place.session.close();
  await rm(join(place.ports.home, 'scans'), { recursive: true });
  const session = await nextProcess(place);
  await session.reportBackground();
  expect(session.events.at(-1)).toMatchObject({
    type: 'files_changed',
    id: 'call_1',
    changes: [],
    uncovered: 'The command ran on without Harness. Its changes up to then are unknown.',
  });
  await place.go('go');
  await until(() => session.events.some(({ type }) => type === 'background_ended'));
  expect(changesIn({ ...place, session })).toEqual(['call_1 first, in doubt']);
});
