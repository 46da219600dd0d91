// What a tool card says: its line, its input, its result, its change.
import { expect, test } from 'vitest';
import { cutText } from '../../webview/views/tools/cut-text.ts';
import { diffOf } from '../../webview/views/tools/tool-diff.ts';
import { hasFailed, outcomeOf, permissionOf, subjectOf } from '../../webview/views/tools/tool-line.ts';
import { shownResult } from '../../webview/views/tools/tool-result.ts';
import { ask, call, decision, request, result, sectionOf, toolOf } from '../support/panel-events.ts';

const tool = (name: string, input: Record<string, unknown>, ...more: Parameters<typeof sectionOf>) =>
  toolOf(sectionOf(request(1), call('a', name, input), ...more), 'a');

test.each([
  ['read', { path: 'a.ts' }, 'a.ts'],
  ['read', { path: '/repo/src/a.ts', start_line: 1, end_line: 80 }, 'src/a.ts 1-80'],
  ['read', { path: 'a.ts', start_line: 5 }, 'a.ts 5-'],
  ['read', { path: '/elsewhere/a.ts' }, '/elsewhere/a.ts'],
  ['list_dir', { path: '/repo' }, '.'],
  ['grep', { pattern: 'x*', path: 'src', recursive: true }, '"x*" in src'],
  ['grep', { pattern: 'x*', path: '.', recursive: true }, '"x*"'],
  ['grep', { pattern: 'x*', path: '.' }, '"x*" in .'],
  ['grep', { pattern: 'x', path: '.', recursive: true, glob: '*.ts' }, '"x" in *.ts'],
  ['grep', { pattern: 'x', path: 'src/', glob: '*.ts' }, '"x" in src/*.ts'],
  ['find_files', { pattern: '*.ts' }, '*.ts'],
  ['find_files', { pattern: '*.ts', path: '/repo/src' }, '*.ts in src'],
  ['bash', { command: 'cd a\nls' }, 'cd a ⏎ ls'],
  ['bash', { command: "cd '/repo' && npm test" }, 'npm test'],
  ['bash', { command: 'cd /repo && npm test' }, 'npm test'],
  ['bash', { command: 'cd /repo/sub && npm test' }, 'cd /repo/sub && npm test'],
  ['bash', { command: 'cd /repo && ' }, 'cd /repo && '],
  ['grep', { pattern: 'cd /repo && npm test' }, '"cd /repo && npm test"'],
  ['bash', { command: 'x'.repeat(5_000_000) }, `${'x'.repeat(300)}…`],
  ['move', { source: '/repo/a', destination: '/repo/b' }, 'a → b'],
  ['write', { path: 'b\u202e.ts', content: 'x' }, 'b\\u{202e}.ts'],
  ['edit', { path: '/repo/a', operations: [] }, 'a'],
  [
    'apply_patch',
    { input: '*** Begin Patch\r\n*** Update File: a b\r\n+*** Add File: no\n*** Delete File: c\u202e\n' },
    'a b, c\\u{202e}',
  ],
  ['apply_patch', {}, ''],
  ['diagnostics', {}, ''],
  ['diagnostics', { path: '/repo/src' }, 'src'],
  ['code', { action: 'symbols', path: '/repo/a.ts' }, 'symbols a.ts'],
  ['code', { action: 'rename', path: 'a.ts', line: 3, symbol: 'old', new_name: 'new' }, 'rename old → new'],
  ['other', { count: 1, query: 'words' }, 'words'],
  ['other', { count: 1 }, ''],
  ['read', { path: 1 }, ''],
  ['toString', {}, ''],
])('the line of %s %j names %s', (name, input, subject) => {
  expect(subjectOf(tool(name, input), ['/repo'])).toBe(subject);
});

const PROBLEM = { path: '/r/a', line: 3, column: 5, severity: 'error', message: 'Wrong.' };

const listing = [
  'total 12',
  'drwxr-xr-x 3 me me 4096 Nov  1 10:00 .',
  'drwxr-xr-x 9 me me 4096 Nov  1 10:00 ..',
  '-rw-r--r-- 1 me me    1 Nov  1 10:00 .hidden',
  '-rw-r--r-- 1 me me    1 Nov  1 10:00 total 5',
];

test.each([
  ['bash', { stdout: '', stderr: '', exitCode: 0 }, []],
  ['bash', { stdout: '', stderr: '', exitCode: 3 }, ['exit 3']],
  ['grep', { matches: '' }, ['no matches']],
  ['grep', { matches: '1:a\n2:b:7:c\n' }, ['2 matches']],
  ['grep', { matches: '/r/a:1:x\n/r/a:2:y' }, ['2 matches in 1 file']],
  ['grep', { matches: '/r/a b:1:x\n/r/c:12:3:y\nC:\\d:4:z' }, ['3 matches in 3 files']],
  [
    'grep',
    { matches: '/r/a:1:x\n... (2100 more matches left out; narrow the pattern or the path)' },
    ['2,101 matches'],
  ],
  ['edit', { problems: [PROBLEM, PROBLEM] }, ['2 new problems']],
  ['write', { problems: [PROBLEM], moreProblems: 4 }, ['5 new problems']],
  ['move', { problems: [], notChecked: [{ path: '/r/a' }] }, []],
  ['diagnostics', { problems: [PROBLEM] }, ['1 problem']],
  ['diagnostics', { problems: [] }, ['no problems']],
  ['diagnostics', { problems: [], notChecked: [{ path: '/r/a' }] }, ['not checked']],
  ['code', { places: [{ path: '/r/a', line: 1, text: 'x' }], more: 9 }, ['10 places']],
  ['code', { symbols: [] }, ['nothing found']],
  ['code', { content: 'type' }, []],
  ['code', { files: ['/r/a', '/r/b'], problems: [PROBLEM] }, ['2 files changed, 1 new problem']],
  ['list_dir', { entries: listing.join('\n') }, ['2 entries']],
  ['list_dir', { entries: listing.slice(0, 4).join('\n') }, ['1 entry']],
  ['list_dir', { entries: listing.slice(0, 3).join('\n') }, ['empty']],
  ['grep', { matches: 'x'.repeat(300_000) }, []],
  ['find_files', { paths: '/r/a\n/r/b' }, ['2 files']],
  ['find_files', { paths: '', note: 'no file in /r matches x' }, ['no files']],
  ['find_files', { paths: '/r/a', note: '1200 older files left out; narrow it' }, ['1,201 files']],
  ['read', { content: 'x' }, []],
])('the outcome of %s %j is %j', (name, value, outcome) => {
  expect(outcomeOf(tool(name, {}, result('a', value)))).toEqual(outcome);
});

test('the outcome counts what the input asked for', () => {
  const files = { matches: '/r/a\n/r/b\n... (3 more files left out; narrow the pattern or the path)' };
  expect(outcomeOf(tool('grep', { files_only: true }, result('a', files)))).toEqual(['5 files']);
  const context = { matches: '/r/a-1-x\n/r/a:2:y\n--\n/r/b:1:y' };
  expect(outcomeOf(tool('grep', { context: 1 }, result('a', context)))).toEqual(['2 matches in 2 files']);
  const tree = { entries: 'src/\n  a\n... (8 more names left out; give a smaller depth)' };
  expect(outcomeOf(tool('list_dir', { depth: 2 }, result('a', tree)))).toEqual(['10 entries']);
});

test('the outcome tells first what went otherwise, then how long it took', () => {
  expect(outcomeOf(tool('read', {}, result('a', { error: 'x', code: 'io' }, { isError: true })))).toEqual([
    'failed',
  ]);
  expect(
    outcomeOf(tool('bash', {}, decision('a', 'deny'), result('a', {}, { isError: true, end: 'denied' }))),
  ).toEqual(['denied']);
  expect(outcomeOf({ ...tool('write', {}), input: undefined, receivedBytes: 12_345 })).toEqual([
    'receiving 12 kB',
  ]);
  const took = (milliseconds: number) =>
    outcomeOf({ ...tool('bash', {}, result('a', { exitCode: 1 })), milliseconds });
  expect(took(4_200)).toEqual(['exit 1', '4.2 s']);
  expect(took(72_000)).toEqual(['exit 1', '1 min 12 s']);
  expect(took(900)).toEqual(['exit 1']);
  expect(permissionOf(tool('bash', {}, ask('a'), decision('a', 'allow_session')))).toBe(
    'allowed in this session',
  );
});

test('a command that exits with another code than 0 has failed, though the tool has not', () => {
  const part = tool('bash', {}, result('a', { stdout: '', stderr: '', exitCode: 1 }));
  expect(part.state).toBe('done');
  expect(hasFailed(part)).toBe(true);
});

test('a result is shown as a person would read it', () => {
  const shown = (name: string, value: unknown) => shownResult(tool(name, {}, result('a', value)));
  expect(shown('bash', { stdout: 'out', stderr: 'err', exitCode: 0 })).toBe('out\nerr');
  expect(shown('bash', { stdout: 'out\n', stderr: 'err', exitCode: 0 })).toBe('out\nerr');
  expect(shown('bash_output', { id: 'bg1', output: 'new', running: true })).toBe('new');
  expect(shown('read', { content: 'text\r\nmore' })).toBe('text\nmore');
  expect(shown('list_dir', { entries: 'total 0' })).toBe('total 0');
  expect(shown('grep', { matches: '1:a|b', note: 'read so' })).toBe('1:a|b\n(read so)');
  expect(shown('find_files', { paths: '/r/a' })).toBe('/r/a');
  expect(shown('bash', { error: 'timed out', stdout: 'so far', stderr: '' })).toBe('timed out\nso far');
  expect(shown('read', { error: 'file not found: a', code: 'not_found' })).toBe('file not found: a');
  expect(shown('edit', { error: 'file not found: a' })).toBe('file not found: a');
  expect(shown('edit', { path: 'a', linesChanged: 1 })).toBe('');
  expect(shown('other', { path: 'a' })).toBe('{\n  "path": "a"\n}');
  expect(shownResult({ ...tool('read', {}), result: 'not JSON' })).toBe('not JSON');
});

const lines = (count: number) => Array.from({ length: count }, (_, index) => `${index}`).join('\n');
const whole = (text: string) => ({ shown: text, moreLines: 0, moreCharacters: 0 });

test('problems, places and symbols are lists for a person too, also of a change', () => {
  const shown = (name: string, value: object) => shownResult(tool(name, {}, result('a', value)));
  expect(shown('edit', { problems: [PROBLEM] })).toBe('/r/a:3:5: error: Wrong.');
  expect(shown('edit', { problems: [] })).toBe('');
  expect(shown('code', { places: [{ path: '/r/a', line: 7, text: 'x();' }] })).toBe('/r/a:7: x();');
  expect(shown('code', { symbols: [{ name: 'm', kind: 'method', line: 2, depth: 1 }] })).toBe('  method m:2');
  expect(shown('code', { files: ['/r/a'], problems: [] })).toBe('/r/a');
});

test('a long text is cut after so many lines, and the rest is counted', () => {
  expect(cutText('', 100)).toEqual(whole(''));
  expect(cutText(lines(100), 100)).toEqual(whole(lines(100)));
  expect(cutText(`${lines(100)}\n`, 100)).toEqual(whole(`${lines(100)}\n`));
  expect(cutText(lines(250), 100)).toEqual({ shown: lines(100), moreLines: 150, moreCharacters: 0 });
  expect(cutText(`${lines(101)}\n`, 100)).toEqual({ shown: lines(100), moreLines: 1, moreCharacters: 0 });
});

test('long lines are cut too: whole ones where one fits, else within the first', () => {
  const long = 'x'.repeat(15_000);
  expect(cutText(`a\n${long}\n${long}\nb`, 100)).toEqual({
    shown: `a\n${long}`,
    moreLines: 2,
    moreCharacters: 0,
  });
  expect(cutText(`${'x'.repeat(50_000)}\nb\n`, 100)).toEqual({
    shown: 'x'.repeat(20_000),
    moreLines: 1,
    moreCharacters: 30_000,
  });
});

test('an edit shows its lines with their places, in the order of the file', () => {
  const operations = [
    { op: 'delete', startLine: 40, endLine: 40 },
    { op: 'replace', startLine: 10, endLine: 12, content: ['one\ntwo\n', 'three'] },
    { op: 'insert', afterLine: 0, content: ['top'] },
    { op: 'insert', afterLine: 12, content: ['after'] },
  ];
  const rows = diffOf(tool('edit', { path: 'a', operations }))?.rows.map(
    ({ kind, text }) => `${kind} ${text}`,
  );
  expect(rows).toEqual([
    'place at the top',
    'added top',
    'removed lines 10-12',
    'added one',
    'added two',
    'added three',
    'place after line 12',
    'added after',
    'removed line 40',
  ]);
});

test('what an edit did is shown as its result tells: lines that go with their text, and their surroundings', () => {
  const operations = [{ op: 'delete', startLine: 9, endLine: 9 }];
  const text = [
    '@@ -7,3 +7,2 @@',
    ' kept\r',
    '-gone',
    '--- gone too',
    '+++ here',
    ' ',
    '@@ -1,1 +0,0 @@',
    '-end',
    '\\ No newline at end of file',
  ].join('\n');
  const part = tool('edit', { path: 'a', operations }, result('a', {}, { diff: { text, moreLines: 7 } }));
  expect(diffOf(part)?.more).toBe(7);
  expect(diffOf(part)?.rows.map(({ kind, text }) => `${kind}|${text}`)).toEqual([
    'place|lines 7-8',
    'same|kept',
    'removed|gone',
    'removed|-- gone too',
    'added|++ here',
    'same|',
    'place|at the top',
    'removed|end',
    'place|No newline at end of file',
  ]);
});

test('a written file is all new lines, at most 40 of them', () => {
  const content = Array.from({ length: 55 }, (_, index) => `line ${index}`).join('\r\n');
  const diff = diffOf(tool('write', { path: 'a', content: `${content}\r\n` }));
  expect(diff?.rows).toHaveLength(40);
  expect(diff?.rows[39]).toEqual({ kind: 'added', text: 'line 39' });
  expect(diff?.more).toBe(15);
  expect(diffOf(tool('write', { path: 'a', content: 'x'.repeat(5_000_000) }))?.rows[0]?.text.length).toBe(
    501,
  );
  expect(diffOf(tool('write', { path: 'a', content: 'x', mode: 'append' }))?.rows[0]).toEqual({
    kind: 'place',
    text: 'at the end',
  });
});

test.each([
  ['edit', { path: 'a' }],
  ['edit', { path: 'a', operations: 'x' }],
  ['edit', { path: 'a', operations: [{ op: 'replace', startLine: '1' }] }],
  ['write', { path: 'a' }],
  ['bash', { content: 'x' }],
])('%s %j has no change to show', (name, input) => {
  expect(diffOf(tool(name, input))).toBeUndefined();
});

test('the change of several files names each of them', () => {
  const text = '\\ M a.ts\n@@ -1,1 +1,1 @@\n-a\n+b\n\\ D c.ts\n@@ -1,1 +0,0 @@\n-c';
  const part = tool('apply_patch', { input: '' }, result('a', {}, { diff: { text } }));
  expect(diffOf(part)?.rows.map(({ kind, text: row }) => `${kind}|${row}`)).toEqual([
    'place|M a.ts',
    expect.stringMatching(/^place\|/),
    'removed|a',
    'added|b',
    'place|D c.ts',
    expect.stringMatching(/^place\|/),
    'removed|c',
  ]);
});
