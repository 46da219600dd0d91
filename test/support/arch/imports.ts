// The sources of the product as a graph of imports, for the tests that hold rules about the tree.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync, traverse } from '@babel/core';

export const ROOT = resolve(import.meta.dirname, '../../..');

/** One module that a source names. `lazy` is an `import()`: the module loads on first use. */
export interface Import {
  readonly specifier: string;
  readonly lazy: boolean;
}

/** Paths of all TypeScript sources under `folder`, relative to the repository, sorted. */
export function sourcesIn(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

export const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function parse(file: string, text: string) {
  const options = { presets: ['@babel/preset-typescript'], babelrc: false, configFile: false };
  const ast = parseSync(text, { filename: file, ...options });
  if (!ast) throw new Error(`${file} could not be parsed.`);
  return ast;
}

/** Every module that a source names, type imports and `import()` too, but no text inside a string. */
export function importsOf(file: string, text: string): readonly Import[] {
  const found: Import[] = [];
  traverse(parse(file, text), {
    enter: ({ node }) => {
      if ('source' in node && node.source && 'value' in node.source)
        found.push({ specifier: String(node.source.value), lazy: node.type === 'ImportExpression' });
      if (
        node.type === 'CallExpression' &&
        node.callee.type === 'Import' &&
        node.arguments[0]?.type === 'StringLiteral'
      )
        found.push({ specifier: node.arguments[0].value, lazy: true });
      if (node.type === 'TSImportType' && 'value' in node.argument)
        found.push({ specifier: String(node.argument.value), lazy: false });
    },
  });
  return found;
}

const DECLARED =
  /^export (?:(?:declare|abstract|async) )*(?:(?:const )?enum|function\*?|class|const|interface|type) (\w+)/gm;

/** The names that a source exports by declaring them, types included. Each name once. */
export function exportedNamesOf(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(DECLARED), ([, name]) => name ?? ''))];
}

/** Where a relative import leads, as a path in the repository. */
export const targetOf = (file: string, specifier: string): string =>
  relative(ROOT, resolve(ROOT, dirname(file), specifier));

export interface Edge {
  readonly from: string;
  readonly to: string;
  readonly lazy: boolean;
}

/** All relative imports between the files of these folders. */
export function edgesIn(folders: readonly string[]): readonly Edge[] {
  const files = folders.flatMap(sourcesIn);
  const known = new Set(files);
  return files.flatMap((from) =>
    importsOf(from, textOf(from))
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier, lazy }) => ({ from, to: targetOf(from, specifier), lazy }))
      .filter(({ from, to }) => known.has(to) && to !== from),
  );
}

/** The groups of nodes that reach each other, by Tarjan's algorithm (1972). Only groups of two or more. */
export function circlesIn(edges: readonly Pick<Edge, 'from' | 'to'>[]): readonly (readonly string[])[] {
  const next = Map.groupBy(edges, ({ from }) => from);
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const lower = (node: string, value: number) => low.set(node, Math.min(low.get(node) ?? value, value));
  const visit = (node: string): void => {
    index.set(node, index.size);
    lower(node, index.size - 1);
    stack.push(node);
    for (const { to } of next.get(node) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) lower(node, Math.min(low.get(to) ?? 0, index.get(to) ?? 0));
    }
    if (low.get(node) !== index.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle.sort());
  };
  for (const node of next.keys()) if (!index.has(node)) visit(node);
  return circles;
}
