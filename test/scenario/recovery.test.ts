import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/scripted-model.ts';
import { Session } from '../../extension/core/session/session.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';

test('a session that was killed at any event opens again, complete, and goes on', async () => {
  const { session, settings, store, ports } = await scenario();
  const model = new ScriptedModel(
    [
      { type: 'text', text: 'First.' },
      ...calls(1, ['write', { path: 'a.txt', content: 'a\n' }], ['bash', { command: 'cat a.txt' }]),
    ],
    says('Done.'),
  );
  await session.prompt('Go', settings(model));
  await session.close();
  const lines = (await readFile(join(ports.home, 'sessions', session.id, 'events.jsonl'), 'utf8'))
    .trimEnd()
    .split('\n');
  for (let kept = 1; kept <= lines.length; kept++) {
    const fresh = await store.create({ cwd: '/', product: 'test' });
    const past = session.events
      .slice(1, kept)
      .map(({ seq: _seq, prev: _prev, session: _session, timestamp: _time, ...draft }) => draft);
    await fresh.append(past);
    await fresh.close();
    const reopened = await Session.open(await store.open(fresh.id), ports);
    expectWellFormed(reopened.events);
    const next = new ScriptedModel(says('Welcome back.'));
    expect(await reopened.prompt('On', settings(next)), `killed after ${kept} events`).toBe('done');
    expect(next.turns[0]?.messages.at(-1)?.role).toBe('user');
    await reopened.close();
  }
});

test('what the model knows of a file survives a restart: a change by somebody else is noticed', async () => {
  const { session, settings, store, ports, root } = await scenario();
  const { writeFile } = await import('node:fs/promises');
  await writeFile(join(root, 'a.txt'), 'one\n');
  await session.prompt(
    'Read',
    settings(new ScriptedModel(calls(1, ['read', { path: 'a.txt' }]), says('Read.'))),
  );
  await session.close();
  await writeFile(join(root, 'a.txt'), 'somebody else\n');
  const reopened = await Session.open(await store.open(session.id), ports);
  const edit = { path: 'a.txt', operations: [{ op: 'delete', startLine: 1, endLine: 1 }] };
  await reopened.prompt('Edit', settings(new ScriptedModel(calls(2, ['edit', edit]), says('I see.'))));
  expect(reopened.events.findLast((event) => event.type === 'tool_result')).toMatchObject({
    isError: true,
    result: expect.stringContaining('changed'),
  });
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('somebody else\n');
});
