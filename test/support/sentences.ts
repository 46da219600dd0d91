// The English sentences in our sources, found in their syntax.
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type NodePath, parseSync, traverse, type types } from '@babel/core';

const ROOT = resolve(import.meta.dirname, '../..');

export interface Literal {
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** What a source gives to `t`, to `vscode.l10n.t` and to `plural`, which hands it on. */
export interface Sentences {
  readonly literals: readonly Literal[];
  /** Places of what is no literal, so that nobody can find it here. */
  readonly others: readonly string[];
}

/** The sentences of a folder, or of a file. */
export function sentencesIn(folder: string): Promise<Sentences> {
  return collect(folder, sentenceNodes);
}

/** What a folder, or a file, gives to `say`, with the number of values that it gives along. */
export async function saidIn(folder: string): Promise<Sentences & { readonly values: readonly number[] }> {
  const values: number[] = [];
  const sentences = await collect(folder, ({ node }) => {
    if (nameOf(node.callee) !== 'say') return [];
    values.push(node.arguments.length - 1);
    return node.arguments.slice(0, 1);
  });
  return { ...sentences, values };
}

async function collect(
  folder: string,
  nodesOf: (call: NodePath<types.CallExpression>) => readonly types.Node[],
): Promise<Sentences> {
  const literals: Literal[] = [];
  const others: string[] = [];
  await visitSources(folder, (path, file) => {
    if (!path.isCallExpression()) return;
    for (const node of nodesOf(path)) {
      // With values in it, it would be a sentence of its own for each of them.
      const isOne = node.type !== 'TemplateLiteral' || node.expressions.length === 0;
      const literal = isOne ? literalOf(node, file) : undefined;
      if (literal) literals.push(literal);
      else others.push(`${file}:${node.loc?.start.line}`);
    }
  });
  return { literals, others };
}

/** The literals with a letter that nobody has given to `t` or `say`, those that `isShown`. */
export async function untranslatedIn(
  folder: string,
  isShown: (path: NodePath) => boolean,
): Promise<Literal[]> {
  const found: Literal[] = [];
  await visitSources(folder, (path, file) => {
    const literal = literalOf(path.node, file);
    if (literal && /\p{L}/u.test(literal.text) && isShown(path) && !isTranslated(path)) found.push(literal);
  });
  return found;
}

/** `name`, or what stands behind the last dot; empty for anything else. */
export function nameOf(node: types.Node): string {
  if (node.type === 'Identifier' || node.type === 'JSXIdentifier') return node.name;
  if (node.type === 'PrivateName') return node.id.name;
  return node.type === 'MemberExpression' ? nameOf(node.property) : '';
}

async function visitSources(folder: string, visit: (path: NodePath, file: string) => void): Promise<void> {
  for (const file of await sources(folder)) {
    const ast = parseSync(await readFile(join(ROOT, file), 'utf8'), {
      filename: file,
      presets: ['@babel/preset-typescript'],
      parserOpts: { plugins: file.endsWith('x') ? ['jsx'] : [] },
      babelrc: false,
      configFile: false,
    });
    if (!ast) throw new Error(`${file} could not be parsed.`);
    traverse(ast, { enter: (path) => visit(path, file) });
  }
}

async function sources(folder: string): Promise<string[]> {
  const isSource = (file: string) => /\.tsx?$/.test(file);
  if (isSource(folder)) return [folder];
  const files = await readdir(join(ROOT, folder), { recursive: true });
  return files.filter(isSource).map((file) => join(folder, file));
}

function sentenceNodes(call: NodePath<types.CallExpression>): types.Node[] {
  const name = nameOf(call.node.callee);
  const { arguments: given } = call.node;
  if (name === 'plural') return given.slice(1, 3);
  // What `plural` hands on comes from its callers.
  return name === 't' && !isInPlural(call) ? given.slice(0, 1) : [];
}

function isInPlural(path: NodePath): boolean {
  return (
    path.findParent(
      ({ node }) => 'id' in node && node.id != null && nameOf(node.id as types.Node) === 'plural',
    ) !== null
  );
}

function isTranslated(path: NodePath): boolean {
  return (
    path.findParent(
      ({ node }) => node.type === 'CallExpression' && /^(t|plural|say)$/.test(nameOf(node.callee)),
    ) !== null
  );
}

function literalOf(node: types.Node, file: string): Literal | undefined {
  const text = textOf(node);
  return text === undefined ? undefined : { file, line: node.loc?.start.line ?? 0, text };
}

function textOf(node: types.Node): string | undefined {
  if (node.type === 'StringLiteral' || node.type === 'JSXText') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return node.quasis.map(({ value }) => value.raw).join('…');
}
