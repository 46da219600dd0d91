import type { Bre, Node, Repeat } from './ast.ts';
import { type Dialect, escapeCharacter } from './dialect.ts';

/**
 * The same expression for another engine, to be matched against one text line at a time with `^` and `$` at the line's
 * ends and a `.` that matches no line feed.
 */
export function printRegex(bre: Bre, dialect: Dialect): string {
  return bre.lines.map((line) => print(line, dialect)).join('|');
}

function print(node: Node, dialect: Dialect): string {
  switch (node.kind) {
    case 'character':
      return escapeCharacter(node.text);
    case 'any':
      return '.';
    case 'set':
      return dialect.set(node);
    case 'assertion':
      return dialect.assertions[node.at];
    case 'group':
      return dialect.group(node.id, print(node.body, dialect));
    case 'reference':
      return dialect.reference(node.group);
    case 'repeat':
      return `(?:${print(node.body, dialect)})${quantifier(node)}`;
    case 'sequence':
      return node.items.map((item) => print(item, dialect)).join('');
    case 'alternatives':
      return node.branches.map((branch) => print(branch, dialect)).join('|');
  }
}

function quantifier({ minimum, maximum }: Repeat): string {
  if (maximum !== undefined) return `{${minimum},${maximum}}`;
  if (minimum > 1) return `{${minimum},}`;
  return minimum === 1 ? '+' : '*';
}
