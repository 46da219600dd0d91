import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type IgnoreRules, isIgnored, isRepository, rulesAbove, rulesOf } from './ignore-rules.ts';
import { findScope, type TreeScope } from './search-scope.ts';

/** Names that are shown. */
const MOST_NAMES = 1_000;

interface TreeNode {
  readonly path: string;
  /** With a slash at the end for a directory. */
  readonly name: string;
  /** Undefined for anything but a directory. */
  readonly rules: IgnoreRules | undefined;
  readonly children: TreeNode[];
}

/**
 * `Workspace.tree` on disk. Upper levels come first if there are too many names. Rejects if the directory
 * cannot be read.
 */
export async function directoryTree(path: string, depth: number, signal: AbortSignal): Promise<string> {
  const scope = await findScope(path, true);
  if (scope.kind !== 'tree') return '';
  const rules = scope.isIgnored ? undefined : await rulesIn(path, await rulesAbove(path), scope);
  const root: TreeNode = { path, name: '', rules, children: [] };
  await readdir(path);
  let [level, room, left]: [TreeNode[], number, number] = [[root], MOST_NAMES, 0];
  for (let at = 0; at < depth && level.length > 0; at += 1) {
    const next: TreeNode[] = [];
    for (const node of level) {
      signal.throwIfAborted();
      const children = await childrenOf(node, scope);
      node.children.push(...children.slice(0, room));
      left += Math.max(0, children.length - room);
      room = Math.max(0, room - children.length);
      next.push(...children.filter(({ name }) => name.endsWith('/')));
    }
    level = next;
  }
  const lines = linesOf(root.children, '');
  if (left > 0) lines.push(`... (${left} more names left out; give a smaller depth or a directory below)`);
  return lines.join('\n');
}

/** Sorted by name. A directory that cannot be read has none. */
async function childrenOf({ path, rules }: TreeNode, scope: TreeScope): Promise<TreeNode[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((): Dirent[] => []);
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  const nodes: TreeNode[] = [];
  for (const entry of entries) {
    const child = join(path, entry.name);
    const isFolder = entry.isDirectory();
    if (entry.name === '.git' || isIgnored(rules, child, isFolder)) continue;
    const own = isFolder && !scope.isIgnored ? await rulesIn(child, rules, scope) : undefined;
    nodes.push({ path: child, name: isFolder ? `${entry.name}/` : entry.name, rules: own, children: [] });
  }
  return nodes;
}

async function rulesIn(path: string, above: IgnoreRules | undefined, scope: TreeScope): Promise<IgnoreRules> {
  return rulesOf(path, scope.isInRepository && (await isRepository(path)), above);
}

function linesOf(nodes: readonly TreeNode[], indentation: string): string[] {
  return nodes.flatMap(({ name, children }) => [
    `${indentation}${name}`,
    ...linesOf(children, `${indentation}  `),
  ]);
}
