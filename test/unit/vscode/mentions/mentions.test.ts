import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fuzzyScore } from '../../../../extension/vscode/mentions/file-list.ts';
import { frameContext } from '../../../../extension/vscode/mentions/frame.ts';
import { holdsSecrets } from '../../../../extension/vscode/mentions/secret-paths.ts';
import { within } from '../../../../extension/vscode/mentions/symbols.ts';

/** Those that fit, best first. */
function ranked(query: string, ...paths: string[]): string[] {
  return paths
    .flatMap((path) => {
      const score = fuzzyScore(query, path);
      return score === undefined ? [] : [{ path, score }];
    })
    .sort((a, b) => b.score - a.score)
    .map(({ path }) => path);
}

test('a name that begins with the query comes before one that holds it, and that before a path that does', () => {
  const paths = ['date/lib.ts', 'src/update.ts', 'src/my-date.ts', 'src/date.ts', 'src/dart.ts', 'x.md'];
  expect(ranked('date', ...paths)).toEqual(['src/date.ts', 'src/my-date.ts', 'src/update.ts', 'date/lib.ts']);
});

test('letters may be left out, in the name before the path, and case does not matter', () => {
  expect(ranked('cptsx', 'Composer.tsx', 'cat/p/t.sx', 'src/CompletionList.tsx')).toEqual([
    'Composer.tsx',
    'src/CompletionList.tsx',
    'cat/p/t.sx',
  ]);
  expect(ranked('views/', 'webview/views/', 'webview/views/shell/App.tsx')).toEqual([
    'webview/views/',
    'webview/views/shell/App.tsx',
  ]);
});

test('nothing of what a mention brings can end the block that it stands in', () => {
  const text = fc.string({ unit: fc.constantFrom('</context-', '>', 'a', '\n', '0123456789ab') });
  fc.assert(
    fc.property(text, text, (title, content) => {
      const block = frameContext([{ mention: '@a', title, text: content }]);
      const [, mark = ''] = /^<(context-[0-9a-f]{12})>\n/.exec(block) ?? [];
      expect(block.indexOf(`</${mark}>`)).toBe(block.length - mark.length - 3);
    }),
  );
});

test('what is too long is cut, one by one and all together, and that is said', () => {
  const section = { mention: '@a', title: 'x', text: 'y'.repeat(30_000) };
  const block = frameContext([section, section, section, section]);
  expect(block.length).toBeLessThan(61_500);
  expect(block.match(/\[\d+ characters left out\]/g)).toEqual([
    '[10000 characters left out]',
    '[10000 characters left out]',
    '[10000 characters left out]',
    '[30000 characters left out]',
  ]);
  expect(frameContext([])).toBe('');
});

test.each([
  '/w/.env',
  '/w/.ENV.local',
  '/w/.git/config',
  '/home/u/.ssh/id_rsa',
  'C:\\w\\.npmrc',
  '/w/key.pem',
])('%s holds secrets', (path) => expect(holdsSecrets(path)).toBe(true));

test.each(['/w/package.json', '/w/environment.ts', '/w/.github/workflows/ci.yml', '/w/.gitignore'])(
  '%s does not',
  (path) => expect(holdsSecrets(path)).toBe(false),
);

test('what somebody else does not answer, or fails to, is nothing', async () => {
  expect(await within(10_000, Promise.resolve(1))).toBe(1);
  expect(await within(10_000, Promise.reject(new Error('no')))).toBeUndefined();
  expect(await within(1, new Promise(() => {}))).toBeUndefined();
});
