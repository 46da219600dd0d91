// Reads the words in the page line by line, across the elements of a line.

interface Line {
  text: string;
  /** For each text node: where it begins in `text`, and its first character. */
  readonly pieces: { readonly at: number; readonly node: Text; readonly from: number }[];
}

const inline = new Set(['A', 'B', 'BDI', 'CODE', 'DEL', 'EM', 'I', 'S', 'SPAN', 'STRONG']);
/** Each is a separate text, even in the same line. */
const separate = '.call > *, .found';
/** Words that describe the text, and text that is not in the log. */
const apart =
  'figcaption, svg, .quiet, .visually-hidden, .name:not(.call > .name), .outcome > :not(.found), .allowed, .changes, .actions, .meta, .live-output';

/** The matches of `pattern`, which must be global, in what `element` shows. */
export function rangesIn(element: Node, pattern: RegExp): StaticRange[] {
  const ranges: StaticRange[] = [];
  for (const line of linesIn(element)) {
    for (const { 0: found, index } of line.text.matchAll(pattern)) {
      if (found !== '') ranges.push(rangeOf(line, index, index + found.length));
    }
  }
  return ranges;
}

function linesIn(element: Node): Line[] {
  const lines: Line[] = [emptyLine()];
  read(element, lines);
  return lines;
}

function read(node: Node, lines: Line[]): void {
  if (node instanceof Text) addText(node, lines);
  if (!(node instanceof Element) || node.matches(apart)) return;
  const isBlock = !inline.has(node.tagName) || node.matches(separate);
  if (isBlock) endLine(lines);
  for (const child of node.childNodes) read(child, lines);
  if (isBlock) endLine(lines);
}

function addText(node: Text, lines: Line[]): void {
  // A line break within a paragraph appears as a space.
  const isWrapped = node.parentElement?.closest('pre, .user, .markdown')?.matches('.markdown') ?? false;
  let from = 0;
  for (const text of isWrapped ? [node.data.replaceAll('\n', ' ')] : node.data.split('\n')) {
    if (from > 0) endLine(lines);
    const line = lines.at(-1);
    line?.pieces.push({ at: line.text.length, node, from });
    if (line) line.text += text;
    from += text.length + 1;
  }
}

function endLine(lines: Line[]): void {
  if (lines.at(-1)?.text !== '') lines.push(emptyLine());
}

function emptyLine(): Line {
  return { text: '', pieces: [] };
}

function rangeOf(line: Line, start: number, end: number): StaticRange {
  const [startContainer, startOffset] = placeOf(line, start);
  const [endContainer, endOffset] = placeOf(line, end - 1);
  return new StaticRange({ startContainer, startOffset, endContainer, endOffset: endOffset + 1 });
}

function placeOf({ pieces }: Line, offset: number): [Node, number] {
  const piece = pieces.findLast(({ at }) => at <= offset);
  return piece ? [piece.node, piece.from + offset - piece.at] : [document.body, 0];
}
