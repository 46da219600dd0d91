import { expect, test } from 'vitest';
import type { Delta } from '../../extension/protocol/delta.ts';
import type { EventDraft } from '../../extension/protocol/events.ts';
import { call, request, result } from '../support/panel-events.ts';
import type { PanelPage } from '../support/panel-page.ts';
import { usePanel } from '../support/use-panel.ts';

const open = usePanel();
const begin: EventDraft[] = [
  { type: 'user', content: 'Do it' },
  { type: 'turn_started', turn: 1 },
  request(1),
];
const ESC = '\u001b';
const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');
const started = (id: string): EventDraft => ({ type: 'tool_started', id });
const output = (text: string): Delta => ({
  type: 'tool_output_delta',
  session: 'session-1',
  id: 'c1',
  stream: 'stdout',
  text,
});
const running = [...begin, call('c1', 'bash', { command: 'make' }), started('c1')];

const toggle = (panel: PanelPage, id: string) =>
  panel.page.locator(`[data-part-id="${id}"] .disclosure`).click();
const elements = (panel: PanelPage) => panel.page.evaluate(() => document.querySelectorAll('*').length);

test.each([
  [call('c1', 'edit', { path: '/repo/src/a.ts' }), {}, { added: 12, removed: 3 }, 'edit src/a.ts', '+12 −3'],
  [call('c1', 'write', { path: 'x.ts' }), {}, { added: 40, removed: 0 }, 'write x.ts', '+40'],
  [
    call('c1', 'bash', { command: 'npm test' }),
    { exitCode: 1 },
    { milliseconds: 4_200 },
    'bash npm test · exit 1 · 4.2 s',
    '',
  ],
  [call('c1', 'read', { path: 'src/a.ts', start_line: 1, end_line: 80 }), {}, {}, 'read src/a.ts 1-80', ''],
  [
    call('c1', 'grep', { pattern: 'needle', path: '.', recursive: true }),
    { matches: '/repo/a:1:needle\n/repo/b:2:needle' },
    {},
    'grep "needle" · 2 matches in 2 files',
    '',
  ],
  [call('c1', 'list_dir', { path: 'src' }), { entries: 'total 0\na\nb' }, {}, 'list_dir src · 2 entries', ''],
  [
    call('c1', 'find_files', { pattern: '*.ts', path: 'src' }),
    { paths: '/repo/src/a.ts\n/repo/src/b.ts' },
    {},
    'find_files *.ts in src · 2 files',
    '',
  ],
  [call('c1', 'move', { source: 'a', destination: 'b' }), {}, {}, 'move a → b', ''],
])('a call is one line: %j', async (made, value, more, line, changes) => {
  const panel = await open({ width: 420, events: [...begin, made, result('c1', value, more)] });
  expect(await panel.part('tool').locator('.disclosure').textContent()).toBe(`${line} done`);
  expect((await panel.part('tool').locator('.changes').allTextContents()).join('').trim()).toBe(changes);
});

test('a tool opens to show the first 100 lines of its result; the rest is opened by the host', async () => {
  const panel = await open({
    events: [...begin, call('c1', 'read', { path: 'a.txt' }), result('c1', { content: lines(250) })],
  });
  const tool = panel.part('tool');
  const line = tool.getByRole('button', { name: 'read a.txt' });
  expect(await line.getAttribute('aria-expanded')).toBe('false');
  expect(await tool.textContent()).not.toContain('line 0');
  await line.focus();
  await panel.page.keyboard.press('Enter');
  expect(await line.getAttribute('aria-expanded')).toBe('true');
  expect(await tool.textContent()).not.toContain('"path"');
  expect(await tool.textContent()).toContain('line 99');
  expect(await tool.textContent()).not.toContain('line 100');
  expect(await tool.textContent()).toContain('… (150 more lines)');
  await tool.getByRole('button', { name: 'Show All' }).click();
  expect(await panel.messages('result/open')).toEqual([
    { type: 'result/open', session: 'session-1', id: 'c1' },
  ]);
  await line.click();
  expect(await tool.textContent()).not.toContain('line 0');
});

test('the input of a tool that the panel does not know is shown as it is', async () => {
  const panel = await open({
    events: [...begin, call('c1', 'fetch', { url: 'https://a', tries: 3 }), result('c1', { status: 200 })],
  });
  await toggle(panel, 'c1');
  expect(await panel.part('tool').textContent()).toContain('"tries": 3');
  expect(await panel.part('tool').textContent()).toContain('"status": 200');
});

test('a failed tool is open, and says so in words', async () => {
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'read', { path: 'x' }),
      result('c1', { error: 'file not found: x' }, { isError: true }),
    ],
  });
  const tool = panel.page.locator('[data-part="tool"][data-state="error"]');
  expect(await tool.textContent()).toContain('failed');
  expect(await tool.locator('.error-text').textContent()).toBe('file not found: x');
});

test('an opened change shows its lines with their signs, and its button opens the diff', async () => {
  const operations = [
    { op: 'replace', startLine: 3, endLine: 4, content: ['const a = 1;', ''] },
    { op: 'insert', afterLine: 9, content: ['bidi \u202e'] },
  ];
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'edit', { path: 'a.ts', operations }),
      result('c1', { path: '/repo/a.ts', linesChanged: 3 }, { added: 3, removed: 2 }),
    ],
  });
  await toggle(panel, 'c1');
  const change = panel.part('tool').getByRole('region', { name: 'Change' });
  expect(await change.textContent()).toBe(
    '− lines 3-4\n+ const a = 1;\n+ \n  after line 9\n+ bidi \\u{202e}\n',
  );
  expect(await panel.part('tool').textContent()).not.toContain('linesChanged');
  await panel.part('tool').getByRole('button', { name: 'Diff' }).click();
  expect(await panel.messages('diff/open')).toEqual([{ type: 'diff/open', session: 'session-1', id: 'c1' }]);
});

test('a finished change shows the lines that went with their text', async () => {
  const text = '@@ -2,4 +2,4 @@\n const a = 1;\n-const b = 2;\n+const b = "\u202e";\n }';
  const operations = [{ op: 'replace', startLine: 3, endLine: 3, content: ['from the input'] }];
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'edit', { path: 'a.ts', operations }),
      result('c1', {}, { added: 1, removed: 1, diff: { text, moreLines: 4 } }),
    ],
  });
  await toggle(panel, 'c1');
  const change = panel.part('tool').getByRole('region', { name: 'Change' });
  expect(await change.textContent()).toBe(
    '  lines 2-5\n  const a = 1;\n− const b = 2;\n+ const b = "\\u{202e}";\n  }\n',
  );
  expect(await change.locator('.diff-removed').textContent()).toBe('− const b = 2;\n');
  expect(await panel.part('tool').textContent()).toContain('… (4 more lines)');
});

test('what is written is shown as new lines, of many the first', async () => {
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'write', { path: 'a.ts', content: `${lines(55)}\n` }),
      result('c1', {}, { added: 55 }),
    ],
  });
  await toggle(panel, 'c1');
  expect(await panel.part('tool').textContent()).toContain('+ line 39\n');
  expect(await panel.part('tool').textContent()).not.toContain('line 40');
  expect(await panel.part('tool').textContent()).toContain('… (15 more lines)');
});

test('a running command shows its newest output in colour, until its result is there', async () => {
  const panel = await open({ events: running });
  for (let index = 0; index < 30; index += 1)
    await panel.stream(output(`${ESC}[32mstep ${index}${ESC}[0m\n`));
  const live = panel.page.locator('[data-part="tool"][data-state="running"] .live-output');
  expect(await live.textContent()).toMatch(/^step 22\n[\s\S]*step 29$/);
  expect(await live.locator('.sgr-32').count()).toBe(8);
  await panel.stream(output('10 %\r'), output(`50 %\rdone${ESC}[K`));
  expect(await live.textContent()).toMatch(/^step 23\n[\s\S]*step 29\ndone$/);
  await panel.emit(result('c1', { stdout: '', stderr: '', exitCode: 0 }));
  expect(await panel.page.locator('.live-output').count()).toBe(0);
  expect(await panel.part('tool').getAttribute('data-state')).toBe('done');
});

test('opened, a running command shows more, and its end stays in sight', async () => {
  const panel = await open({ events: running });
  await panel.stream(output(`${lines(50)}\n`));
  await toggle(panel, 'c1');
  const live = panel.part('tool').getByRole('region', { name: 'Output' });
  expect(await live.textContent()).toMatch(/^line 0\n/);
  await panel.stream(output('newest\n'));
  const isInSight = await live.evaluate((box) => {
    const range = document.createRange();
    range.selectNodeContents(box);
    return range.getBoundingClientRect().bottom <= box.getBoundingClientRect().bottom + 1;
  });
  expect(isInSight).toBe(true);
});

test('output never takes a reader from where she reads', async () => {
  const text: EventDraft = { type: 'text', content: 'word\n\n'.repeat(60) };
  const panel = await open({ events: [...begin, text, ...running.slice(3)] });
  const log = panel.page.locator('[role="log"]');
  const top = () => log.evaluate((scroller) => scroller.scrollTop);
  const before = await log.evaluate((scroller) => {
    scroller.scrollTop = scroller.scrollHeight / 2;
    return scroller.scrollTop;
  });
  await panel.stream(output('first\n'));
  for (let index = 0; index < 20; index += 1) await panel.stream(output(`line ${index}\n`));
  expect(await top()).toBe(before);
});

test.each([
  ['a line without an end', 'x'.repeat(3_000_000)],
  ['a rainbow', Array.from({ length: 200_000 }, (_, at) => `${ESC}[3${at % 8}mx`).join('')],
  ['lines', lines(200_000)],
  ['binary output', '\u0000\u0001\u202e\u001b'.repeat(300_000)],
])('of a flood (%s) the page draws no more than of a drop', async (_name, flood) => {
  const panel = await open({ events: running });
  await panel.stream(output(flood));
  expect(await elements(panel)).toBeLessThan(500);
  expect(
    await panel.page.locator('.live-output').evaluate((box) => box.getBoundingClientRect().height),
  ).toBeLessThan(200);
  await toggle(panel, 'c1');
  await panel.stream(output(`${flood.slice(0, 100_000)}\nnewest`));
  expect(await panel.page.locator('.live-output').textContent()).toMatch(/newest$/);
  await panel.emit(result('c1', { stdout: flood, stderr: '', exitCode: 0 }));
  expect(await elements(panel)).toBeLessThan(2_500);
  expect((await panel.part('tool').textContent())?.length).toBeLessThan(100_000);
});

test('what hides in a file is visible, and bounded too', async () => {
  const content = `bidi \u202e null \u0000 bell \u0007\r\n${'a\u200b'.repeat(5_000)}`;
  const panel = await open({
    events: [...begin, call('c1', 'read', { path: 'a' }), result('c1', { content })],
  });
  await toggle(panel, 'c1');
  expect(await panel.part('tool').textContent()).toContain('bidi \\u{202e} null \\u{0} bell \\u{7}\n');
  expect(await elements(panel)).toBeLessThan(1_000);
});

test('megabytes of input are opened as fast as a line', async () => {
  const panel = await open({
    events: [
      ...begin,
      call('c1', 'write', { path: 'a', content: 'word\n'.repeat(1_000_000) }),
      call('c2', 'write', { path: 'b', content: 'x'.repeat(5_000_000) }),
      call('c3', 'other', { data: 'x'.repeat(5_000_000) }),
    ],
  });
  for (const id of ['c1', 'c2', 'c3']) await toggle(panel, id);
  expect(await panel.part('tool').nth(0).textContent()).toContain('… (999960 more lines)');
  expect(await elements(panel)).toBeLessThan(500);
  expect((await panel.page.locator('[role="log"]').textContent())?.length).toBeLessThan(40_000);
});

test('a call that is being written shows how much has arrived', async () => {
  const panel = await open({ events: begin });
  await panel.stream({
    type: 'tool_input_delta',
    session: 'session-1',
    id: 'c1',
    name: 'write',
    bytes: 12_000,
  });
  expect(await panel.part('tool').textContent()).toContain('receiving 12 kB');
});

const reads = (...ids: string[]) =>
  ids.flatMap((id) => [call(id, 'read', { path: `${id}.ts` }), result(id, { content: '' })]);

test('three neighbouring reads fold into one line that opens; only then the calls are in the page', async () => {
  const panel = await open({ events: [...begin, ...reads('a', 'b')] });
  const tools = panel.part('tool');
  await tools.first().getByRole('button').click();
  await panel.emit(...reads('c'));
  const group = panel.page.getByRole('button', { name: 'read 3 files' });
  expect(await tools.count()).toBe(0);
  await group.click();
  expect(await tools.count()).toBe(3);
  expect(await tools.first().isVisible()).toBe(true);
  expect(await tools.first().getByRole('button').first().getAttribute('aria-expanded')).toBe('true');
  await group.click();
  expect(await tools.count()).toBe(0);
});

test('a fold says how far it is, counts a file once, and other tools interrupt it', async () => {
  const panel = await open({
    events: [...begin, ...reads('a', 'b'), call('c', 'read', { path: 'a.ts', start_line: 9 })],
  });
  const group = panel.page.locator('.group > .disclosure');
  expect(await group.textContent()).toBe('read 2 files · 2 of 3 running');
  await panel.emit(
    result('c', { content: '' }),
    call('g', 'grep', { pattern: 'x', path: '.' }),
    ...reads('d'),
  );
  expect(await group.textContent()).toBe('read 2 files done');
  const shown = await panel.part('tool').evaluateAll((parts) => parts.map((part) => part.dataset.tool));
  expect(shown).toEqual(['grep', 'read']);
});

test('a failure among folded calls opens them', async () => {
  const failing = ['a', 'b', 'c'].flatMap((id) => [
    call(id, 'read', { path: id }),
    result(id, { error: 'no' }, { isError: id === 'b' }),
  ]);
  const panel = await open({ events: [...begin, ...failing] });
  expect(await panel.part('tool').nth(1).isVisible()).toBe(true);
  expect(await panel.page.getByRole('button', { name: 'read 3 files' }).textContent()).toBe(
    'read 3 files · 1 failed failed',
  );
});

test('folded calls that never ran look skipped', async () => {
  const skipped = ['a', 'b', 'c'].flatMap((id) => [
    call(id, 'grep', { pattern: id, path: '.' }),
    result(id, { error: 'skipped: edit before it failed' }, { isError: true, end: 'skipped' }),
  ]);
  const panel = await open({ events: [...begin, ...skipped] });
  const group = panel.page.getByRole('button', { name: '3 searches' });
  expect(await group.textContent()).toBe('3 searches · 3 skipped skipped');
  expect(await group.locator('.icon').first().getAttribute('class')).not.toContain('good');
});
