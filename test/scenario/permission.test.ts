import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, expectWellFormed, says, scenario } from '../support/scenario.ts';

const write = (content: string) => ['write', { path: 'a.txt', content }] as const;

test('plan mode is read-only, and the gate holds it', async () => {
  const { session, settings, root, asked } = await scenario({ mode: 'plan' });
  await writeFile(join(root, 'a.txt'), 'a');
  for (const [index, call] of [
    write('b'),
    ['bash', { command: 'touch c' }] as const,
    ['move', { source: 'a.txt', destination: 'd' }] as const,
  ].entries()) {
    await session.prompt('Go', settings(new ScriptedModel(calls(10 * (index + 1), call), says('No.'))));
    expect(session.events.findLast((event) => event.type === 'tool_result')).toMatchObject({
      end: 'denied',
      result: expect.stringContaining('Plan mode'),
    });
  }
  expect(asked).toEqual([]);
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('a');
});

test('the time of a call is not the time that a person took to answer', async () => {
  const { session, settings, clock } = await scenario({
    answer: () => {
      clock.advance(60_000);
      return { decision: 'allow_once' };
    },
  });
  await session.prompt('Go', settings(new ScriptedModel(calls(1, write('b')), says('Done.'))));
  expect(session.events.find((event) => event.type === 'tool_result')).toMatchObject({ milliseconds: 0 });
});

test('nothing runs in an untrusted workspace', async () => {
  const { session, settings } = await scenario({ trusted: false, mode: 'bypass' });
  for (const [index, call] of [
    ['read', { path: '.' }],
    ['list_dir', { path: '.' }],
    ['bash', { command: 'touch c' }],
    write('b'),
  ].entries()) {
    await session.prompt(
      'Go',
      settings(new ScriptedModel(calls(10 * (index + 1), call as ['read', object] as never), says('No.'))),
    );
  }
  expect(session.events.some((event) => event.type === 'tool_started')).toBe(false);
});

test('acceptEdits writes without asking, and asks for commands', async () => {
  const { session, settings, root, asked } = await scenario({ mode: 'acceptEdits' });
  await session.prompt(
    'Go',
    settings(new ScriptedModel(calls(1, write('b'), ['bash', { command: 'true' }]), says('Done.'))),
  );
  expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe('b');
  expect(asked.map((request) => request.tool)).toEqual(['bash']);
});

test('“allow in this session” is not asked again; “always” is not in the next session either', async () => {
  const first = await scenario({
    answer: (request) => ({ decision: request.tool === 'bash' ? 'allow_always' : 'allow_session' }),
  });
  const again = new ScriptedModel(
    calls(1, write('1'), write('2'), ['bash', { command: 'true' }], ['bash', { command: 'true' }]),
    says('Done.'),
  );
  await first.session.prompt('Go', first.settings(again));
  expect(first.asked.map((request) => request.tool)).toEqual(['write', 'bash']);
  const policies = JSON.parse(await readFile(join(first.ports.home, 'policies.json'), 'utf8')) as {
    policies: unknown[];
  };
  expect(policies.policies).toHaveLength(1);
  const decisions = first.session.events
    .filter((event) => event.type === 'permission')
    .map((event) => [event.decision, event.by]);
  expect(decisions).toEqual([
    ['allow_session', 'user'],
    ['allow_session', 'user'],
    ['allow_always', 'user'],
    ['allow_once', 'policy'],
  ]);
});

test('what is not remembered cannot be remembered by asking for it', async () => {
  const { session, settings, asked } = await scenario({ answer: () => ({ decision: 'allow_always' }) });
  const config = ['write', { path: 'package.json', content: '{}' }] as const;
  await session.prompt('Go', settings(new ScriptedModel(calls(1, config, config), says('Done.'))));
  expect(asked.map((request) => request.risk)).toEqual(['high', 'high']);
  expect(asked[0]?.action.remember).toBeUndefined();
});

test.each(['file becomes a link', 'content changes', 'parent becomes a link'])(
  'between approval and execution the %s: not run',
  async (swap) => {
    const made = await scenario({
      answer: async () => {
        const file = join(root, 'dir', 'a.txt');
        if (swap === 'content changes') await writeFile(file, 'somebody else');
        else {
          const victim = swap === 'file becomes a link' ? file : join(root, 'dir');
          await rm(victim, { recursive: true });
          await symlink(swap === 'file becomes a link' ? join(outside, 'a.txt') : outside, victim);
        }
        return { decision: 'allow_once' };
      },
    });
    const { session, settings, root } = made;
    const outside = join(root, '..', 'outside');
    await Promise.all([mkdir(join(root, 'dir')), mkdir(outside)]);
    await Promise.all([
      writeFile(join(root, 'dir', 'a.txt'), 'mine'),
      writeFile(join(outside, 'a.txt'), 'secret'),
    ]);
    await session.prompt(
      'Go',
      settings(new ScriptedModel(calls(1, ['write', { path: 'dir/a.txt', content: 'agent' }]), says('Hm.'))),
    );
    expect(session.events.findLast((event) => event.type === 'tool_result')).toMatchObject({ isError: true });
    expect(await readFile(join(outside, 'a.txt'), 'utf8')).toBe('secret');
    expect(session.events.some((event) => event.type === 'tool_started')).toBe(false);
    expectWellFormed(session.events);
  },
);

test('a link that leads out of the workspace is asked about by its real target', async () => {
  const { session, settings, root, asked } = await scenario({ answer: () => ({ decision: 'deny' }) });
  const outside = join(root, '..', 'outside.txt');
  await writeFile(outside, 'secret');
  await symlink(outside, join(root, 'innocent.txt'));
  await session.prompt(
    'Go',
    settings(new ScriptedModel(calls(1, ['write', { path: 'innocent.txt', content: 'x' }]), says('Hm.'))),
  );
  expect(asked[0]).toMatchObject({ risk: 'high', action: { detail: outside } });
  expect(await readFile(outside, 'utf8')).toBe('secret');
});

test('when the audit log cannot be written, nothing runs', async () => {
  const { session, settings, ports, root } = await scenario({ mode: 'bypass' });
  await mkdir(join(ports.home, 'audit.jsonl'));
  await session.prompt('Go', settings(new ScriptedModel(calls(1, write('b')), says('Hm.'))));
  expect(session.events.some((event) => event.type === 'tool_started')).toBe(false);
  await expect(readFile(join(root, 'a.txt'))).rejects.toThrow('ENOENT');
});

test('a damaged policy file allows nothing, is told, and is not lost', async () => {
  const { session, settings, ports, asked, logged } = await scenario({
    answer: () => ({ decision: 'allow_always' }),
  });
  await writeFile(join(ports.home, 'policies.json'), '{ "version": 1, "policies": [');
  await session.prompt(
    'Go',
    settings(new ScriptedModel(calls(1, ['bash', { command: 'true' }]), says('Done.'))),
  );
  expect(asked).toHaveLength(1);
  expect(logged.join()).toContain('so Harness asks about every action');
  const { readdir } = await import('node:fs/promises');
  expect((await readdir(ports.home)).some((name) => name.startsWith('policies.json.damaged'))).toBe(true);
});
