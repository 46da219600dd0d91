// The rooms of each runtime stand on floors: a room imports rooms of lower floors only. Type imports count.
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import {
  circlesIn,
  type Edge,
  edgesIn,
  exportedNamesOf,
  importsOf,
  sourcesIn,
  textOf,
} from '../support/arch/imports.ts';

/** From the lowest floor to the highest. `.` holds the files that lie directly in the runtime's folder. */
const FLOORS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'extension/core': [
    ['base'],
    ['ports', 'secrets'],
    ['rendering'],
    ['log'],
    ['checkpoints', 'permission', 'providers'],
    ['background'],
    ['context', 'review', 'tools'],
    ['loop', 'view'],
    ['export', 'sdk', 'session', 'trace'],
    ['recording'],
  ],
  'extension/app': [['feed', 'prompts', 'recordings', 'view'], ['sessions'], ['checkpoints']],
  'extension/node': [
    ['fs'],
    ['archive', 'blobs', 'composer', 'git', 'log', 'processes'],
    ['search', 'sessions'],
    ['.'],
    ['scan', 'storage'],
    ['recording', 'settings'],
    ['transfer'],
  ],
  'extension/vscode': [
    ['approvals', 'base', 'terminal', 'workspace'],
    ['mentions', 'models', 'sessions'],
    ['composer', 'language-models', 'review'],
    ['panel'],
    ['checkpoints', 'replay', 'timeline'],
    ['session-commands'],
    ['commands'],
    ['.'],
  ],
};

const edges = edgesIn(['extension', 'webview']);
const eager = edges.filter(({ lazy }) => !lazy);

/** The room of a file of `runtime`, or undefined where the file belongs to another runtime. */
function roomOf(runtime: string, file: string): string | undefined {
  if (!file.startsWith(`${runtime}/`)) return undefined;
  const [first = '', ...rest] = file.slice(runtime.length + 1).split('/');
  return rest.length === 0 ? '.' : first;
}

/** Imports of one runtime that do not lead down. */
function offences(
  runtime: string,
  floors: readonly (readonly string[])[],
  between: readonly Edge[],
): string[] {
  const floorOf = (room: string) => floors.findIndex((rooms) => rooms.includes(room));
  return between.flatMap(({ from, to }) => {
    const [own, other] = [roomOf(runtime, from), roomOf(runtime, to)];
    if (own === undefined || other === undefined || own === other) return [];
    return floorOf(other) < floorOf(own) ? [] : [`${from} -> ${to}`];
  });
}

test.each(Object.entries(FLOORS))(
  '%s: every room has its floor, and every floor its rooms',
  (runtime, floors) => {
    const rooms = new Set(sourcesIn(runtime).map((file) => roomOf(runtime, file)));
    expect([...rooms].sort()).toEqual([...floors.flat()].sort());
  },
);

test.each(Object.entries(FLOORS))('%s: a room imports lower floors only', (runtime, floors) => {
  expect(offences(runtime, floors, eager)).toEqual([]);
});

test.each([
  ['extension/core/base/mutex.ts', 'extension/core/log/log-writer.ts'],
  ['extension/core/tools/move.ts', 'extension/core/review/decide.ts'],
])('the check sees an import that leads up or across: %s -> %s', (from, to) => {
  const floors = FLOORS['extension/core'] ?? [];
  expect(offences('extension/core', floors, [{ from, to, lazy: false }])).toHaveLength(1);
});

test('no files import each other in a circle', () => {
  expect(circlesIn(eager)).toEqual([]);
});

test('the check sees a circle of three', () => {
  const circle = ['ab', 'bc', 'ca', 'cd'].map(([from = '', to = '']) => ({ from, to }));
  expect(circlesIn(circle)).toEqual([['a', 'b', 'c']]);
});

test('no folders of the panel import each other in a circle', () => {
  const folders = eager
    .filter(({ from, to }) => from.startsWith('webview/') && to.startsWith('webview/'))
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    .filter(({ from, to }) => from !== to);
  expect(circlesIn(folders)).toEqual([]);
});

test('no two files of the extension and the panel export one name', () => {
  const homes = Map.groupBy(
    ['extension', 'webview']
      .flatMap(sourcesIn)
      .flatMap((file) => exportedNamesOf(textOf(file)).map((name) => ({ name, file }))),
    ({ name }) => name,
  );
  const doubled = [...homes].filter(([, files]) => files.length > 1);
  expect(doubled.map(([name, files]) => `${name}: ${files.map(({ file }) => file).join(', ')}`)).toEqual([]);
});

test('the check sees exports of every form', () => {
  const text = `export interface A {}
export type B<T> = T;
export enum C {}
export const enum D {}
export class E {}
export abstract class F {}
export declare function g(): void;
export function* h() {}
export async function* i() {}
export const j = 1;
export type { K } from './k.ts';
function l() {}`;
  expect(exportedNamesOf(text).join('')).toBe('ABCDEFghij');
});

/** A port, a schema or the messages of a protocol are short by nature. */
const SHORT_BY_NATURE = /^extension\/core\/ports\/|schema|messages|events/;

test('at most 7 % of the files are short helpers that one neighbor alone reads', () => {
  const files = sourcesIn('extension');
  const readers = Map.groupBy(edges, ({ to }) => to);
  const helpers = files.filter((file) => {
    const from = new Set(readers.get(file)?.map((edge) => edge.from));
    const [only] = from;
    const isShort = textOf(file).split('\n').length - 1 < 60 && !SHORT_BY_NATURE.test(file);
    return isShort && from.size === 1 && dirname(only ?? '') === dirname(file);
  });
  expect(helpers.length / files.length, helpers.join('\n')).toBeLessThanOrEqual(0.07);
});

test('the graph sees imports of every form', () => {
  const text = `import a from './a.ts'; import type { B } from './b.ts'; export * from './c.ts';
    const d = () => import('./d.ts'); type E = typeof import('./e.ts'); const f = "import g from './g.ts'";`;
  const found = importsOf('extension/x.ts', text).map(({ specifier, lazy }) => `${specifier} ${lazy}`);
  expect(found.sort()).toEqual([
    './a.ts false',
    './b.ts false',
    './c.ts false',
    './d.ts true',
    './e.ts false',
  ]);
});
