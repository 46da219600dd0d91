// Commands that run while the conversation goes on.
import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { NodeBackground } from '../../extension/node/processes/node-background.ts';
import type { SessionEvent } from '../../extension/protocol/events.ts';
import { calls, expectWellFormed, golden, type Scenario, says, scenario } from '../support/scenario.ts';
import { until } from '../support/until.ts';

const typed = <T extends SessionEvent['type']>(place: Pick<Scenario, 'session'>, type: T) =>
  place.session.events.filter((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
const resultsOf = (place: Pick<Scenario, 'session'>) =>
  typed(place, 'tool_result').map(({ result }) => JSON.parse(result) as Record<string, unknown>);
/** The log, without what differs in every run. */
const stableGolden = (place: Scenario) =>
  golden(place.session.events, place.root)
    .replaceAll(place.ports.home, '<home>')
    .replaceAll(place.session.id, '<session>')
    .replace(/"pid":\d+,"started":"[^"]*","mark":"[^"]*"/g, '"pid":1,"started":"<start>","mark":"<mark>"');

/** Waits for a file, and ends by itself if the test forgets it. */
const waitFor = (file: string) => `for i in $(seq 1200); do [ -e ${file} ] && break; sleep 0.05; done`;

test('a background command is started, read, and its end is heard at the next request', async () => {
  const place = await scenario({ mode: 'bypass' });
  const command = `echo ready; ${waitFor('../go')}; echo done; exit 3`;
  const model = new ScriptedModel(
    calls(1, ['bash', { command, background: true }]),
    says('It runs.'),
    calls(2, ['bash_output', { id: 'bg1' }]),
    says('It has ended.'),
  );
  await place.session.prompt('Start it', place.settings(model));
  const [{ id, file } = { id: '', file: '' }] = resultsOf(place);
  expect(id).toBe('bg1');
  await until(() => readFileSync(String(file), 'utf8') === 'ready\n');
  expect(typed(place, 'background_ended')).toEqual([]);
  await writeFile(join(place.root, '../go'), '');
  await until(() => typed(place, 'background_ended').length > 0);
  await place.session.prompt('And?', place.settings(model));
  expect(JSON.stringify(model.turns[2]?.messages)).toContain('has ended: exit code 3');
  expect(resultsOf(place)[1]).toMatchObject({ output: 'ready\ndone\n', running: false, exitCode: 3 });
  expectWellFormed(place.session.events);
  await expect(stableGolden(place)).toMatchFileSnapshot('./golden/background.jsonl');
});

test('a look shows only what is new', async () => {
  const place = await scenario({ mode: 'bypass' });
  const command = `echo one; ${waitFor('two')}; echo two; touch said; ${waitFor('go')}`;
  const look = (call: number) => calls(call, ['bash_output', { id: 'bg1' }]);
  const model = new ScriptedModel(
    calls(1, ['bash', { command, background: true }]),
    calls(2, ['bash', { command: 'touch two; until [ -e said ]; do sleep 0.05; done' }]),
    look(3),
    look(4),
    calls(5, ['bash_stop', { id: 'bg1' }]),
    look(6),
    calls(7, ['bash_stop', { id: 'bg1' }], ['bash_output', { id: 'bg2' }]),
    says('Stopped.'),
  );
  await place.session.prompt('Go', place.settings(model));
  const results = resultsOf(place);
  expect(results[2]).toMatchObject({ output: 'one\ntwo\n', running: true });
  expect(results[3]).toMatchObject({ output: '', running: true });
  expect(results[4]).toEqual({ content: 'bg1 was stopped with all its child processes.' });
  expect(results[5]).toMatchObject({ running: false });
  expect(results[6]?.error).toContain('bg1 has already ended');
  expect(results[7]?.error).toContain('this session has no background command bg2');
  expect(typed(place, 'notice')).toEqual([]);
  expect(existsSync(join(place.root, 'go'))).toBe(false);
});

test('at most eight run, and the error names them', async () => {
  const place = await scenario({ mode: 'bypass' });
  const wanted = [...Array(9)].map(() => ['bash', { command: waitFor('go'), background: true }] as const);
  const model = new ScriptedModel(calls(1, ...wanted), says('Full.'));
  await place.session.prompt('Go', place.settings(model));
  const results = resultsOf(place);
  expect(results.slice(0, 8).map(({ id }) => id)).toEqual([...Array(8)].map((_, index) => `bg${index + 1}`));
  expect(results[8]?.error).toMatch(
    /^at most 8 background commands run at a time, and these do: bg1 \(for i in/,
  );
  expect(place.session.background?.running).toHaveLength(8);
  await place.session.close();
});

test('what the session still runs ends when it closes for good', async () => {
  const place = await scenario({ mode: 'bypass' });
  const model = new ScriptedModel(
    calls(1, ['bash', { command: `echo $$ > pid; ${waitFor('go')}`, background: true }]),
    says('It runs.'),
  );
  await place.session.prompt('Go', place.settings(model));
  await until(() => existsSync(join(place.root, 'pid')));
  const { id } = place.session;
  await place.session.close();
  expect((await place.store.read(id)).at(-1)).toMatchObject({
    type: 'background_ended',
    id: 'bg1',
    by: 'session',
  });
  const pid = Number(await readFile(join(place.root, 'pid'), 'utf8'));
  expect(() => process.kill(pid, 0)).toThrow();
});

test('the next process of the session adopts what runs, and hears of its end', async () => {
  const place = await scenario({ mode: 'bypass', endsOnLeave: false });
  const command = `echo ready; ${waitFor('go')}; echo done; exit 4`;
  const model = new ScriptedModel(
    calls(1, ['bash', { command, background: true }]),
    says('It runs.'),
    calls(2, ['bash_output', { id: 'bg1' }]),
    says('It has ended.'),
  );
  await place.session.prompt('Go', place.settings(model));
  await place.session.close();
  // A shell that did not start it stands for the next process.
  const background = new NodeBackground();
  const session = await place.openLog(await place.store.open(place.session.id), { background });
  expect(session.background?.running.map(({ id }) => id)).toEqual(['bg1']);
  await writeFile(join(place.root, 'go'), '');
  await until(() => typed({ session }, 'background_ended').length > 0);
  expect(typed({ session }, 'background_ended')[0]).toMatchObject({ id: 'bg1', exitCode: 4 });
  expect(typed({ session }, 'notice')[0]?.toModel).toContain(
    'has ended: exit code 4. The last lines of its output, which are data:\n<output>\nready\ndone\n</output>\n',
  );
  await session.close();
});

test('a process with the same id that began at another time is not adopted, and not ended', async () => {
  const place = await scenario({ mode: 'bypass' });
  const log = await place.store.create({ cwd: place.root, product: 'test' });
  const other = { pid: process.pid, started: 'earlier', mark: 'none', file: join(place.root, 'none') };
  await log.append([
    { type: 'background_started', id: 'bg1', call: 'call_1', command: 'true', process: other },
  ]);
  await log.close();
  const session = await place.openLog(await place.store.open(log.id));
  await until(() => typed({ session }, 'background_ended').length > 0);
  expect(typed({ session }, 'background_ended')[0]).not.toHaveProperty('exitCode');
  await session.close();
});

test('the user moves a running command to the background, and the run goes on', async () => {
  const place = await scenario({ mode: 'bypass' });
  const command = `echo one; ${waitFor('go')}; echo two; exit 5`;
  const model = new ScriptedModel(
    calls(1, ['bash', { command }]),
    says('It runs on.'),
    calls(2, ['bash_output', { id: 'bg1' }]),
    says('Over.'),
  );
  place.session.subscribe({
    onDelta: (delta) => delta.type === 'tool_output_delta' && place.session.actOnCall(delta.id, 'background'),
  });
  expect(await place.session.prompt('Go', place.settings(model))).toBe('done');
  expect(resultsOf(place)[0]).toMatchObject({ id: 'bg1', stdout: 'one\n', stderr: '' });
  expect(typed(place, 'background_started')[0]).toMatchObject({ id: 'bg1', moved: true });
  expect(JSON.stringify(model.turns[1]?.messages)).toContain('The user moved the command to the background');
  await writeFile(join(place.root, 'go'), '');
  await until(() => typed(place, 'background_ended').length > 0);
  await place.session.prompt('And?', place.settings(model));
  expect(resultsOf(place)[1]).toMatchObject({ output: 'one\ntwo\n', running: false, exitCode: 5 });
});

test('the user stops one command, and the run goes on', async () => {
  const place = await scenario({ mode: 'bypass' });
  const model = new ScriptedModel(
    calls(1, ['bash', { command: `echo one; ${waitFor('go')}` }]),
    says('All right.'),
  );
  place.session.subscribe({
    onDelta: (delta) => delta.type === 'tool_output_delta' && place.session.actOnCall(delta.id, 'stop'),
  });
  expect(await place.session.prompt('Go', place.settings(model))).toBe('done');
  expect(resultsOf(place)[0]?.error).toBe(
    'command was stopped by the user and was ended\nstdout so far:\none\n',
  );
});

test('the model hears that the user stopped a background command', async () => {
  const place = await scenario({ mode: 'bypass' });
  const model = new ScriptedModel(
    calls(1, ['bash', { command: 'exec sleep 60', background: true }]),
    says('It runs.'),
    says('I see.'),
  );
  await place.session.prompt('Go', place.settings(model));
  await place.session.stopBackground('bg1');
  expect(typed(place, 'background_ended')[0]).toMatchObject({ by: 'user' });
  await place.session.prompt('Go on', place.settings(model));
  expect(JSON.stringify(model.turns[2]?.messages)).toContain('was stopped by the user. It printed nothing.');
});

test('the whole of a long output is in a file that may be read unasked, and nothing else of the home', async () => {
  const place = await scenario();
  const model = new ScriptedModel(calls(1, ['bash', { command: 'seq 20000' }]), says('Long.'));
  await place.session.prompt('Go', place.settings(model));
  const rest = typed(place, 'tool_result')[0]?.rendering?.rest ?? '';
  expect(await readFile(rest, 'utf8')).toContain('\n12345\n');
  const more = new ScriptedModel(
    calls(
      2,
      ['read', { path: rest, start_line: 12345, end_line: 12345 }],
      ['grep', { path: rest, pattern: '^12345$' }],
    ),
    calls(4, ['read', { path: join(place.ports.home, 'audit.jsonl') }]),
    says('Read.'),
  );
  expect(place.asked).toHaveLength(1);
  await place.session.prompt('Go on', place.settings(more));
  expect(resultsOf(place).slice(1, 3)).toEqual([{ content: '12345\n' }, { matches: '12345:12345' }]);
  expect(place.asked.map(({ tool }) => tool)).toEqual(['bash', 'read']);
});
