// What the loop does with language servers: which tools it offers, the gate before a rename, problems in results.
// Each session is recorded and replayed.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LanguageServers } from '../../extension/core/ports/language-servers.ts';
import { ScriptedModel } from '../../extension/core/ports/testing/scripted-model.ts';
import { calls, says, scenario } from '../support/scenario.ts';

/** Renames the first word of each of these files; every change causes one problem. */
function servers(paths: readonly string[]): LanguageServers {
  const start = { line: 1, column: 1 };
  return {
    problems: async () => ({ problems: [], unchecked: [] }),
    watch:
      ([path = '']) =>
      async () => ({
        problems: [{ path, ...start, severity: 'error', message: 'Wrong.', text: 'x' }],
        unchecked: [],
      }),
    places: async () => ({ failure: 'no language server has answered' }),
    hover: async () => ({ value: 'of a word' }),
    symbols: async () => ({ value: [] }),
    rename: async (_path, _at, text) => ({
      value: {
        files: paths.map((path) => ({
          path,
          edits: [{ start, end: { line: 1, column: 4 }, old: 'old', text }],
        })),
        movesFiles: false,
      },
    }),
  };
}

const RENAME = { action: 'rename', path: 'a.txt', symbol: 'old', new_name: 'new' };

async function project(options: Parameters<typeof scenario>[0] = {}) {
  const stage = await scenario(options);
  const paths = ['a.txt', 'b.txt'].map((name) => join(stage.root, name));
  for (const path of paths) await writeFile(path, 'old word\n');
  const log = await stage.store.create({ cwd: stage.root, product: 'test' });
  const session = await stage.openLog(log, { languageServers: servers(paths) });
  const texts = () => Promise.all(paths.map((path) => readFile(path, 'utf8')));
  const results = () =>
    session.events.flatMap((event) => (event.type === 'tool_result' ? [JSON.parse(event.result)] : []));
  return { ...stage, session, paths, texts, results };
}

test('a rename asks once, names every file, and reports the problems that it causes', async () => {
  const { session, settings, asked, paths, texts, results } = await project();
  const model = new ScriptedModel(calls(1, ['code', RENAME]), says('Done.'));
  await session.prompt('Go', settings(model));
  expect(asked.map(({ action }) => [action.title, action.detail])).toEqual([
    ['Rename old to new?', paths.map((path) => `M ${path}`).join('\n')],
  ]);
  expect(await texts()).toEqual(['new word\n', 'new word\n']);
  expect(results()).toMatchObject([{ files: paths, problems: [{ path: paths[0], message: 'Wrong.' }] }]);
  const changed = session.events.flatMap((event) => (event.type === 'files_changed' ? event.changes : []));
  expect(changed.map(({ path }) => path)).toEqual(paths);
});

test('a denied rename changes nothing, and stops the changes after it but no read', async () => {
  const { session, settings, texts, results } = await project({ answer: () => ({ decision: 'deny' }) });
  const model = new ScriptedModel(
    calls(
      1,
      ['code', RENAME],
      ['code', { ...RENAME, new_name: 'other' }],
      ['code', { action: 'hover', path: 'a.txt', symbol: 'old' }],
    ),
    says('Done.'),
  );
  await session.prompt('Go', settings(model));
  expect(await texts()).toEqual(['old word\n', 'old word\n']);
  expect(results()).toMatchObject([
    { error: expect.stringContaining('denied') },
    { error: 'skipped: code before it failed' },
    { content: 'of a word' },
  ]);
});

test('a server that does not answer is an error, never an empty answer', async () => {
  const { session, settings, results } = await project();
  const ask = { action: 'references', path: 'a.txt', symbol: 'old' };
  const model = new ScriptedModel(calls(1, ['code', ask], ['diagnostics', {}]), says('Done.'));
  await session.prompt('Go', settings(model));
  expect(results()).toEqual([
    { error: 'no language server has answered', code: 'unsupported' },
    { problems: [] },
  ]);
});

test('without language servers, no tool asks them', async () => {
  const { session, settings } = await scenario();
  const model = new ScriptedModel(says('Done.'));
  await session.prompt('Go', settings(model));
  const names = model.turns[0]?.tools.map(({ name }) => name);
  expect(names).toContain('edit');
  expect(names).not.toContain('code');
  expect(names).not.toContain('diagnostics');
});
