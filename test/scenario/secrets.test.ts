import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { placeholderOf } from '../../extension/core/secrets/placeholder.ts';
import { calls, expectWellFormed, type Scenario, says, scenario } from '../support/scenario.ts';
import { random } from '../support/secret-samples.ts';

const KEY = 'canary-key-0815-4711';
const TOKEN = `ghp_${random(36)}`;
const HIDDEN = placeholderOf('github-token', TOKEN);

/** Every file below Harness's own folder, as one text, but for what undo has to put back byte for byte. */
async function everythingKept({ ports }: Scenario): Promise<string> {
  const entries = await readdir(ports.home, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !entry.parentPath.endsWith('blobs'));
  return (await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'utf8')))).join(
    '\n',
  );
}

test('a key that is known is in no log, no delta and no request, in whatever form', async () => {
  const encoded = Buffer.from(`user:${KEY}`).toString('base64');
  const model = new ScriptedModel(
    [
      { type: 'reasoning_delta', text: `so ${KEY.slice(0, 9)}` },
      { type: 'reasoning_delta', text: `${KEY.slice(9)} it is` },
      { type: 'reasoning', text: `so ${KEY} it is` },
      ...calls(1, ['bash', { command: `printf '%s %s' ${KEY} ${encoded}` }]),
    ],
    says(`it is ${KEY}`),
    says('ok'),
  );
  const place = await scenario({ mode: 'bypass', secrets: [KEY] });
  await place.session.prompt(`use ${KEY}`, place.settings(model));
  await place.session.prompt('again', place.settings(model));
  const told = JSON.stringify([model.turns, place.deltas]);
  const kept = await everythingKept(place);
  expectWellFormed(place.session.events);
  for (const text of [told, kept]) {
    expect(text).toContain(placeholderOf('secret', KEY));
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(KEY.slice(9));
    expect(text).not.toContain(encoded.slice(8, 24));
  }
});

test('a call runs with what the model has asked for', async () => {
  const model = new ScriptedModel(
    calls(1, ['bash', { command: `printf %s ${TOKEN} > out; wc -c < out` }]),
    says('ok'),
  );
  const place = await scenario({ mode: 'bypass' });
  await place.session.prompt('go', place.settings(model));
  expect(await readFile(join(place.root, 'out'), 'utf8')).toBe(TOKEN);
  expect(await everythingKept(place)).not.toContain(TOKEN);
});

test('a secret in a file is not overwritten by what stands for it, and the other lines can be edited', async () => {
  const place = await scenario({ mode: 'bypass' });
  const path = join(place.root, '.env');
  await writeFile(path, `A=1\nGH=${TOKEN}\nB=2\n`);
  const edit = (startLine: number, line: string) =>
    [
      'edit',
      { path: '.env', operations: [{ op: 'replace', startLine, endLine: startLine, content: [line] }] },
    ] as const;
  const patch = (line: string) =>
    `*** Begin Patch\n*** Update File: .env\n@@\n GH=${HIDDEN}\n-B=2\n+${line}\n*** End Patch`;
  const model = new ScriptedModel(
    calls(1, ['read', { path: '.env' }]),
    calls(2, ['write', { path: '.env', content: `A=2\nGH=${HIDDEN}\n` }]),
    calls(3, [
      'edit',
      {
        path: '.env',
        operations: [{ op: 'replace', startLine: 1, endLine: 2, content: ['A=2', `GH=${HIDDEN}`] }],
      },
    ]),
    calls(4, ['apply_patch', { input: patch('B=3') }]),
    calls(5, ['bash', { command: `echo GH=${HIDDEN} > .env` }]),
    calls(6, ['write', { path: '.env', mode: 'append', content: `GH2=${HIDDEN}\n` }]),
    calls(7, edit(3, 'B=3')),
    says('ok'),
  );
  model.tools = ['apply_patch'];
  await place.session.prompt('go', place.settings(model));
  const results = place.session.events.filter((event) => event.type === 'tool_result');
  expect(JSON.parse(results[0]?.result ?? '')).toEqual({ content: `A=1\nGH=${HIDDEN}\nB=2\n` });
  for (const result of results.slice(1, 6)) {
    expect(result).toMatchObject({ isError: true });
    expect(JSON.parse(result.result).error).toContain(
      `${HIDDEN} stands for a secret that is hidden from you`,
    );
  }
  expect(results[6]).toMatchObject({ isError: false });
  expect(await readFile(path, 'utf8')).toBe(`A=1\nGH=${TOKEN}\nB=3\n`);
  expect(JSON.stringify(place.session.events)).not.toContain(TOKEN);
});

test('a file that really has such a text can be edited', async () => {
  const place = await scenario({ mode: 'bypass' });
  const path = join(place.root, 'docs.md');
  await writeFile(path, `as ${HIDDEN}\n`);
  const model = new ScriptedModel(
    calls(1, ['write', { path: 'docs.md', content: `such as ${HIDDEN}\n` }]),
    says('ok'),
  );
  await place.session.prompt('go', place.settings(model));
  expect(await readFile(path, 'utf8')).toBe(`such as ${HIDDEN}\n`);
});

const ESC = String.fromCharCode(27);

test.each([
  ['long output', `yes 'x ${TOKEN} ${KEY}' | head -c 400000`, /characters left out/],
  ['output that is cut off', `yes 'x ${TOKEN} ${KEY}' | head -c 1200000`, /\(truncated\)/],
  [
    'a long line of a file',
    `yes 'x ${TOKEN} ${KEY}' | head -c 3000 | tr '\\n' ' ' > long; cat long | head -c 1`,
    /line cut after/,
  ],
  [
    'a command that is shown in part',
    `echo ${'.'.repeat(20)} ${KEY} ${TOKEN} ${TOKEN} > /dev/null`,
    /"bash echo [^"]*…"/,
  ],
])('no secret is cut in two by Harness: %s', async (_what, command, cut) => {
  const model = new ScriptedModel(
    calls(1, ['bash', { command }]),
    calls(2, ['grep', { pattern: 'x', path: '.' }]),
    calls(3, ['bash', { command: `echo ${command.length}` }]),
    says('ok'),
  );
  const place = await scenario({ mode: 'bypass', secrets: [KEY] });
  await place.session.prompt('go', place.settings(model));
  const kept = JSON.stringify([model.turns, place.session.events]);
  expect(kept, 'something was cut').toMatch(cut);
  expect(kept, 'where secrets had been').toContain(HIDDEN);
  for (const part of [TOKEN.slice(0, 9), TOKEN.slice(-9), KEY.slice(0, 9), KEY.slice(-9)])
    expect(kept).not.toContain(part);
});

test('a secret with colours in it is in no log; what was answered is shown without colours', async () => {
  const coloured = `${TOKEN.slice(0, 9)}${ESC}[31m${TOKEN.slice(9, 20)}${ESC}[0m${TOKEN.slice(20)}`;
  const place = await scenario({ mode: 'bypass' });
  await writeFile(join(place.root, 'out'), `${ESC}[1mGH=${coloured}\n`);
  await place.session.prompt(
    'go',
    place.settings(new ScriptedModel(calls(1, ['bash', { command: 'cat out' }]), says('ok'))),
  );
  const result = place.session.events.find((event) => event.type === 'tool_result');
  expect(result?.result).toContain(HIDDEN);
  expect(result?.shown?.start ?? '').not.toContain(ESC);
  expect(await everythingKept(place)).not.toContain(TOKEN.slice(9, 20));
});

/** Each twice in a file, the second other than the first. */
const REPLACED = [
  TOKEN,
  `AKIA${'Q3EGR7HTZ5LM2NPX'}`,
  `npm_${random(36)}`,
  `AIza${random(35)}`,
  `glpat-${random(20)}`,
];

test('secrets that only colours part are in no log, no request and no card, and play again equal', async () => {
  const others = REPLACED.map((token) => token.slice(0, -9) + [...token.slice(-9)].reverse().join(''));
  const place = await scenario({ mode: 'bypass' });
  await writeFile(join(place.root, 'one'), `token: ${REPLACED.join('\ntoken: ')}\n`);
  await writeFile(join(place.root, 'other'), `token: ${others.join('\ntoken: ')}\n`);
  const diff = 'git diff --no-index --color=always --color-words one other';
  const column = `printf 'name\\033[20G%s\\033[m %s' ${TOKEN} 2>/dev/null; printf abc; printf %s ${TOKEN} >&2`;
  const model = new ScriptedModel(
    ...[diff, column, `${diff} >&2`].map((command, index) => calls(index + 1, ['bash', { command }])),
    says('ok'),
  );
  await place.session.prompt('go', place.settings(model));
  const kept =
    JSON.stringify([model.turns, place.deltas, place.session.events]) + (await everythingKept(place));
  expect(kept).toContain(`token: ${HIDDEN}[redacted:github-token#`);
  for (const token of [...REPLACED, ...others]) expect(kept).not.toContain(token.slice(-9));
});

test('what stands beside a secret and looks like what stands for it in a recording plays as it is', async () => {
  const place = await scenario({ mode: 'bypass' });
  const text = `export T=${TOKEN}\n~/bin/foo\n~\n~1\n${TOKEN}^{commit} ~~${TOKEN}~~. HEAD~012345\n`;
  await writeFile(join(place.root, 'rc'), `${text}${ESC}[32mdb=postgres://me:pas5wd@localhost/${ESC}[m\n`);
  const model = new ScriptedModel(
    calls(1, ['bash', { command: 'cat rc' }]),
    calls(2, ['read', { path: 'rc' }]),
    calls(3, ['read', { path: 'rc', start_line: 2, end_line: 5 }]),
    says(text),
  );
  await place.session.prompt('go', place.settings(model));
  const [said, , lines] = place.session.events.filter((event) => event.type === 'tool_result');
  expect(JSON.parse(said?.result ?? '').stdout).toContain(text.replaceAll(TOKEN, HIDDEN));
  expect(said?.shown?.start).toContain(text.replaceAll(TOKEN, HIDDEN));
  expect(JSON.parse(lines?.result ?? '').content).toBe(
    text.replaceAll(TOKEN, HIDDEN).split('\n').slice(1, 5).join('\n').concat('\n'),
  );
});

test('of a reply that was stopped within a secret, the log has what was shown', async () => {
  const model = new ScriptedModel(async function* () {
    yield { type: 'text_delta', text: 'The key is ' };
    yield { type: 'text_delta', text: TOKEN.slice(0, 25) };
    place.session.cancel();
  });
  const place = await scenario({});
  await place.session.prompt('go', place.settings(model));
  expect(place.session.events.find(({ type }) => type === 'text')).toMatchObject({
    content: 'The key is ',
    partial: true,
  });
  expect(await everythingKept(place)).not.toContain(TOKEN.slice(0, 9));
});

test('lines out of the middle of a key are hidden: those that are read, and those beside a change', async () => {
  const body = Array.from({ length: 12 }, () => random(64));
  const lines = ['a: 1', '-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----', 'b: 2', 'c: 3'];
  const place = await scenario({ mode: 'bypass' });
  const path = join(place.root, 'config.yaml');
  await writeFile(path, `${lines.join('\n')}\n`);
  const model = new ScriptedModel(
    calls(1, ['read', { path: 'config.yaml', start_line: 5, end_line: 8 }]),
    calls(2, [
      'edit',
      {
        path: 'config.yaml',
        operations: [{ op: 'replace', startLine: 16, endLine: 16, content: ['b: 3'] }],
      },
    ]),
    says('ok'),
  );
  await place.session.prompt('go', place.settings(model));
  expect(await readFile(path, 'utf8')).toBe(`${lines.join('\n').replace('b: 2', 'b: 3')}\n`);
  const [, edited] = place.session.events.filter((event) => event.type === 'tool_result');
  expect(edited?.diff?.text).toMatch(
    /^@@ -14,4 \+14,4 @@\n \[redacted:private-key#\w+\]\n .*\n-b: 2\n\+b: 3\n c: 3$/,
  );
  const kept = (await everythingKept(place)) + JSON.stringify(model.turns);
  for (const line of body) expect(kept).not.toContain(line);
});

test('the same of a file that is too large to be held', async () => {
  const body = Array.from({ length: 12 }, (_, index) => `${random(62)}${10 + index}`);
  const key = ['-----BEGIN PRIVATE KEY-----', ...body, 'QrS=', '-----END PRIVATE KEY-----'];
  const place = await scenario({ mode: 'bypass' });
  const before = 2_000_000;
  const text = `${'a line\n'.repeat(before)}${key.join('\n')}\n${'é é\n'.repeat(20_000)}`;
  await writeFile(join(place.root, 'large.txt'), text);
  const read = (start: number, end: number) =>
    ['read', { path: 'large.txt', start_line: before + start, end_line: before + end }] as const;
  const model = new ScriptedModel(calls(1, read(0, 3)), calls(2, read(14, 17)), says('ok'));
  await place.session.prompt('go', place.settings(model));
  const results = place.session.events.filter((event) => event.type === 'tool_result');
  const hidden = `${placeholderOf('private-key', key.join(''))}\n`;
  expect(results.map(({ result }) => JSON.parse(result).content)).toEqual([
    `a line\n${hidden.repeat(3)}`,
    `${hidden.repeat(2)}é é\né é\n`,
  ]);
});
