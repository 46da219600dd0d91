import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import type { Script } from '../../scripts/lib/claude/fake-anthropic.ts';
import { buildCliIfStale } from '../../scripts/lib/cli-build.mjs';
import { cli, eventsOf } from '../support/cli.ts';
import { KEY, place, server } from '../support/cli-place.ts';
import { isRunning, isWritten } from '../support/is-running.ts';
import { expectWellFormed } from '../support/scenario.ts';
import { until } from '../support/until.ts';
import { DONE_CACHED, line, startOllama } from '../support/wire/ollama-server.ts';

beforeAll(buildCliIfStale);

const hello: Script = () => ({ blocks: [{ type: 'text', text: 'Hello.' }] });

test('exec prints the answer and nothing else on standard output', async () => {
  const { env } = await server(hello);
  expect(await cli(['exec', 'Hi'], { ...(await place()), env })).toMatchObject({
    code: 0,
    stdout: 'Hello.\n',
  });
});

test.each([[['exec']], [['exec', '-']]])('%s reads the prompt from standard input', async (args) => {
  const { env, fake } = await server(hello);
  expect(await cli(args, { ...(await place()), env, stdin: 'From a pipe' })).toMatchObject({ code: 0 });
  expect(fake.requests[0]?.raw).toContain('From a pipe');
});

test('exec --json prints the stored events, one a line, as they are in the log', async () => {
  const { env } = await server(hello);
  const at = await place();
  const { code, stdout } = await cli(['exec', '--json', 'Hi'], { ...at, env });
  const events = eventsOf(stdout);
  expect(code).toBe(0);
  expectWellFormed(events);
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended', reason: 'done' });
  const stored = await readFile(join(at.home, 'sessions', events[0]?.session ?? '', 'events.jsonl'), 'utf8');
  expect(stdout).toBe(stored);
});

test('exec tells the model where it works and what the folder asks of it, and --json shows that', async () => {
  const { env, fake } = await server(hello);
  const at = await place();
  await mkdir(join(at.cwd, '.git'));
  await writeFile(join(at.cwd, '.git', 'HEAD'), 'ref: refs/heads/topic\n');
  await writeFile(join(at.cwd, 'AGENTS.md'), 'Speak like a pirate.');
  await writeFile(join(at.home, 'AGENTS.md'), 'Be brief.');
  const { stdout } = await cli(['exec', '--json', '--permissions', 'plan', 'Hi'], { ...at, env });
  const told = eventsOf(stdout).filter((event) => event.type === 'context');
  const kinds = ['permissions', 'collaboration', 'instructions', 'environment', 'files', 'limits'];
  expect(told.map(({ kind }) => kind)).toEqual(kinds);
  const [permissions, , instructions, environment] = told;
  expect(permissions?.text).toContain('Permission mode: plan.');
  expect(instructions?.text).toMatch(
    /instructions for every workspace\n[\s\S]*Be brief\.[\s\S]*Speak like a pirate\./,
  );
  expect(instructions?.sources).toEqual([at.home, at.cwd].map((folder) => join(folder, 'AGENTS.md')));
  expect(environment?.text).toContain(`<cwd>${at.cwd}</cwd>`);
  expect(environment?.text).toContain('git_branch="topic"');
  const sent = fake.requests[0]?.raw ?? '';
  for (const { text } of told) expect(sent).toContain(JSON.stringify(text).slice(1, -1));
});

test.each([
  ['claude-opus-5-5', { type: 'adaptive', display: 'summarized' }, { effort: 'high' }],
  ['claude-haiku-4-5', { type: 'enabled', budget_tokens: 16_000 }, undefined],
])('exec --effort is how much %s is asked to think', async (model, thinking, output) => {
  const { env, fake } = await server(hello);
  const args = ['exec', '--model', model, '--effort', 'high', 'Hi'];
  expect((await cli(args, { ...(await place()), env })).code).toBe(0);
  expect(fake.violations).toEqual([]);
  expect(fake.requests[0]?.body).toMatchObject({ thinking });
  expect(fake.requests[0]?.body.output_config).toEqual(output);
});

test('exec works with tools in the folder, and the API accepts every request', async () => {
  const at = await place();
  await writeFile(join(at.cwd, 'a.txt'), 'one\n');
  const { env, fake } = await server((_request, index) =>
    index === 0
      ? {
          blocks: [
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.txt' } },
            { type: 'tool_use', id: 'toolu_2', name: 'write', input: { path: 'b.txt', content: 'two\n' } },
          ],
        }
      : { blocks: [{ type: 'text', text: 'Done.' }] },
  );
  const { code, stderr } = await cli(['exec', '--yes', 'Copy it'], { ...at, env });
  expect(code).toBe(0);
  expect(stderr).toContain('▸ read a.txt');
  expect(await readFile(join(at.cwd, 'b.txt'), 'utf8')).toBe('two\n');
  expect(fake.violations).toEqual([]);
});

test('without a terminal, what would have to be asked is denied, and said', async () => {
  const at = await place();
  const { env } = await server((_request, index) =>
    index === 0
      ? { blocks: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'touch x' } }] }
      : { blocks: [{ type: 'text', text: 'I may not.' }] },
  );
  const { stderr } = await cli(['exec', 'Run it'], { ...at, env });
  expect(stderr).toContain('no terminal to ask on');
  await expect(readFile(join(at.cwd, 'x'))).rejects.toThrow('ENOENT');
});

test('--continue and --session go on with the same conversation', async () => {
  const { env, fake } = await server(hello);
  const at = await place();
  const first = eventsOf((await cli(['exec', '--json', 'One'], { ...at, env })).stdout);
  expect((await cli(['exec', '--continue', 'Two'], { ...at, env })).code).toBe(0);
  expect((await cli(['exec', '--session', first[0]?.session ?? '', 'Three'], { ...at, env })).code).toBe(0);
  expect(fake.requests[2]?.body.messages).toHaveLength(5);
  expect(fake.violations).toEqual([]);
  const shown = await cli(['sessions', 'show', first[0]?.session ?? '', '--json'], at);
  expectWellFormed(eventsOf(shown.stdout));
});

test('Ctrl+C cancels: exit code 130 and a whole log', async () => {
  const { env, fake } = await server(() => ({
    blocks: [{ type: 'text', text: 'word '.repeat(500) }],
    chunkSize: 20,
    hold: { after: 10, until: new Promise(() => {}) },
  }));
  const at = await place();
  const { code, stdout } = await cli(['exec', '--json', 'Talk'], {
    ...at,
    env,
    started: async (kill) => {
      await until(() => fake.requests.length === 1);
      kill('SIGINT');
    },
  });
  expect(code).toBe(130);
  const events = eventsOf(stdout);
  expectWellFormed(events);
  expect(events.at(-1)).toMatchObject({ type: 'turn_ended', reason: 'cancelled' });
});

test.each([
  ['no key', {}, 'no API key'],
  ['a bad key', { ANTHROPIC_API_KEY: 'sk-ant-wrong-987654321' }, 'rejected the API key'],
])('%s: one clear error, exit code 1, and the key nowhere', async (_name, changes, words) => {
  const { fake } = await server(hello);
  const at = await place();
  const env = { ANTHROPIC_BASE_URL: fake.url, ...changes };
  const { code, stderr, stdout } = await cli(['exec', 'Hi'], { ...at, env });
  expect(code).toBe(1);
  expect(stderr).toContain(words);
  expect(stderr + stdout).not.toContain('987654321');
});

test.each([
  [['fly'], 'unknown command “fly”'],
  [['exec', '--max-turns', 'many', 'Hi'], '--max-turns must be a whole number'],
  [['exec', '--permissions', 'yolo', 'Hi'], 'permissions'],
  [['exec', '--wings', 'Hi'], "Unknown option '--wings'; exec takes --model, --base-url, --effort"],
  [['sessions', 'list', '--yes'], "Unknown option '--yes'; sessions list takes --json, --log-dir"],
  [['exec', '--model'], "'--model <value>' argument missing"],
  [['--wings'], 'unknown option “--wings” before the command; commands: exec'],
  [['exec', '--effort', 'enormous', 'Hi'], 'effort'],
  [['models', '--base-url', 'http://127.0.0.1:9/v1'], '--base-url requires --provider'],
  [['exec', '--cwd', '/does/not/exist', 'Hi'], 'is not a directory'],
  [['exec', 'two', 'prompts'], 'one prompt'],
  [['exec', ' '], 'prompt is empty'],
  [['tool'], 'NAME and JSON'],
  [['tool', 'fly', '{}'], 'unknown tool “fly”'],
  [['tool', 'read', '[]'], 'JSON object'],
  [['sessions', 'delete'], 'list'],
  [['models', '--provider', 'nobody'], 'unknown provider “nobody”'],
  [['exec', '--yes', '--permissions', 'plan', 'Hi'], 'use one of them'],
])('%j is wrong usage: exit code 2', async (args, words) => {
  const { code, stderr, stdout } = await cli(args, await place());
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(stdout).toBe('');
});

test.each([[['--help']], [['help']], [['exec', '--help']], [['exec', 'Hi', '-h']], [['sessions', '--help']]])(
  '%j prints the usage and does nothing',
  async (args) => {
    const { code, stdout, stderr } = await cli(args, await place());
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('harness exec [PROMPT]');
    expect(stdout).toContain('--max-turns N');
  },
);

test('--version prints the product’s version', async () => {
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
  expect(await cli(['--version'], await place())).toEqual({
    code: 0,
    stdout: `harness ${version}\n`,
    stderr: '',
  });
});

test('behind “--” everything is the prompt', async () => {
  const { env, fake } = await server(hello);
  expect(await cli(['exec', '--', '--help'], { ...(await place()), env })).toMatchObject({ code: 0 });
  expect(fake.requests[0]?.raw).toContain('--help');
});

test('sessions show tells the whole conversation, and list its title', async () => {
  const { env } = await server(hello);
  const at = await place();
  const [first] = eventsOf((await cli(['exec', '--json', 'Greet me\nnicely'], { ...at, env })).stdout);
  await cli(['exec', '--continue', 'Again'], { ...at, env });
  expect(await cli(['sessions', 'show', first?.session ?? ''], at)).toEqual({
    code: 0,
    stdout: '> Greet me\n> nicely\nHello.\n> Again\nHello.\n',
    stderr: '',
  });
  expect((await cli(['sessions', 'list'], at)).stdout).toMatch(
    /^\S+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}Greet me\n$/,
  );
});

test('tool runs one tool and prints its JSON result', async () => {
  const at = await place();
  await writeFile(join(at.cwd, 'a.txt'), 'one\n');
  expect(await cli(['tool', 'read', '{"path":"a.txt"}'], at)).toMatchObject({
    code: 0,
    stdout: '{"content":"one\\n"}\n',
  });
  expect(await cli(['tool', 'read', '{"path":"b.txt"}'], at)).toMatchObject({
    code: 1,
    stdout: `{"error":"file not found: ${at.cwd}/b.txt; did you mean ${at.cwd}/a.txt?","code":"not_found"}\n`,
  });
  expect(await cli(['tool', 'bash', '{"command":"true","background":true}', '--yes'], at)).toMatchObject({
    code: 1,
    stdout:
      '{"error":"background: there is no session that could list and stop the command; run it without","code":"unsupported"}\n',
  });
  expect(await cli(['tool', 'bash', '{"command":"exit 3"}', '--yes'], at)).toMatchObject({
    code: 0,
    stdout: '{"stdout":"","stderr":"","exitCode":3}\n',
  });
  expect(await cli(['tool', 'bash', '{"command":"true"}'], at)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/,"code":"denied"\}\n$/),
  });
  expect(await cli(['tool', 'read', '{"path":1}'], at)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^\{"error":"invalid input for read: path: .*","code":"invalid_input"\}\n$/,
    ),
  });
});

test('the key is in no file that a run leaves behind, and no command sees it', async () => {
  const at = await place();
  const { env } = await server((_request, index) =>
    index === 0
      ? { blocks: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: { command: 'env' } }] }
      : { blocks: [{ type: 'text', text: 'Done.' }] },
  );
  const { stdout, stderr } = await cli(['exec', '--yes', '--json', 'Look'], { ...at, env });
  expect(stdout).toContain('PATH=');
  expect(stdout + stderr).not.toContain(KEY);
  const { execFileSync } = await import('node:child_process');
  expect(() => execFileSync('grep', ['-r', KEY, at.home])).toThrow();
});

test('the demo needs no key and does its task with real tools', async () => {
  const at = await place();
  const { code, stdout } = await cli(['exec', '--model', 'demo', '--yes', '--json', 'Anything'], at);
  const events = eventsOf(stdout);
  expect(code).toBe(0);
  expectWellFormed(events);
  const tools = new Set(events.filter((event) => event.type === 'tool_call').map((event) => event.name));
  expect([...tools].sort()).toEqual(['bash', 'edit', 'grep', 'list_dir', 'move', 'read', 'write']);
  expect(events.filter((event) => event.type === 'tool_result').every((event) => !event.isError)).toBe(true);
  expect(events.findLast((event) => event.type === 'text')).toMatchObject({
    content: expect.stringContaining('The tests pass.'),
  });
  expect(await readFile(join(at.cwd, 'harness-demo/docs/date-fix.md'), 'utf8')).toContain('getUTCMonth');
}, 200_000);

test('what of a broken reply was shown is not in the result', async () => {
  const { env } = await server((_request, index) =>
    index === 0
      ? { blocks: [{ type: 'text', text: 'Partial' }], error: { type: 'api_error', message: 'Oh.' } }
      : { blocks: [{ type: 'text', text: 'Whole.' }] },
  );
  expect(await cli(['exec', 'Hi'], { ...(await place()), env })).toMatchObject({
    code: 0,
    stdout: 'Whole.\n',
  });
});

test('a home that cannot be used is said with what to do', async () => {
  const at = await place();
  for (const home of ['/proc/harness', '/dev/null/harness']) {
    const { code, stderr } = await cli(['tool', 'list_dir', '{"path":"."}'], { ...at, home });
    expect(code).toBe(1);
    expect(stderr).toContain('Set HARNESS_HOME');
  }
});

test('where no home is or can be made there are no sessions, and a look makes none', async () => {
  const at = await place();
  const missing = join(at.home, 'none');
  for (const home of ['/proc/harness', '/dev/null/harness', missing]) {
    expect(await cli(['sessions', 'list'], { ...at, home })).toEqual({
      code: 0,
      stdout: '',
      stderr: 'harness: There are no sessions.\n',
    });
    expect(await cli(['sessions', 'list', '--json'], { ...at, home })).toMatchObject({ code: 0, stdout: '' });
    expect((await cli(['sessions', 'show', 'x'], { ...at, home })).code).toBe(2);
  }
  expect(await readdir(at.home)).toEqual([]);
});

test('a terminated run leaves no command behind', async () => {
  const at = await place();
  const pid = join(at.cwd, 'pid');
  const { code } = await cli(['tool', 'bash', '{"command":"echo $$ > pid; sleep 300"}', '--yes'], {
    ...at,
    started: async (kill) => {
      await until(() => isWritten(pid));
      kill('SIGTERM');
    },
  });
  expect(code).toBe(130);
  expect(await isRunning(pid)).toBe(false);
});

test('a model of Ollama works with tools, where OLLAMA_HOST says that it is, without a key', async () => {
  const at = await place();
  await writeFile(join(at.cwd, 'a.txt'), 'one\n');
  const call = { function: { name: 'read', arguments: { path: 'a.txt' } } };
  const ollama = await startOllama(
    line({ thinking: 'Look.', tool_calls: [call] }) + line({}, DONE_CACHED),
    line({ content: 'It says one.' }) + line({}, DONE_CACHED),
  );
  onTestFinished(() => ollama.close());
  const env = { OLLAMA_HOST: new URL(ollama.url).host };
  const run = { ...at, env };
  expect(await cli(['exec', '--model', 'ollama/qwen3', 'What is in a.txt?'], run)).toMatchObject({
    code: 0,
    stdout: 'It says one.\n',
  });
  expect(ollama.chats[1]?.body).toMatchObject({
    messages: expect.arrayContaining([
      expect.objectContaining({ role: 'assistant', thinking: 'Look.' }),
      expect.objectContaining({ role: 'tool', tool_name: 'read', content: expect.stringContaining('one') }),
    ]),
  });
  const listed = await cli(['models', '--provider', 'ollama', '--json'], run);
  expect(JSON.parse(listed.stdout)).toMatchObject({ id: 'ollama/qwen3:latest', contextWindow: 40_960 });
  await ollama.close();
  const gone = await cli(['models', '--provider', 'ollama'], run);
  expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining('ollama serve') });
});
