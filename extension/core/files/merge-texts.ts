import { splitLines, usualLineEnd } from '../tools/lines.ts';
import { decodeText, encodeText, type TextFile } from '../tools/text-file.ts';
import { mergeLines } from './merge-lines.ts';

/**
 * What `mine` becomes where everything is done to it that makes `theirs` of `base`: lines, line ends and encoding. Undefined
 * where the two have changed the same lines, and where one is no text.
 */
export function mergeFiles(base: Uint8Array, mine: Uint8Array, theirs: Uint8Array): Uint8Array | undefined {
  const texts = [base, mine, theirs].map(decodeText);
  const [old, own, other] = texts;
  if (!old || !own || !other) return undefined;
  const text = mergeTexts(old.text, own.text, other.text);
  if (text === undefined) return undefined;
  const isBytes = texts.some((each) => each?.encoding === 'latin1');
  const encodingOf = (each: TextFile) => (isBytes && isPlain(each) ? 'latin1' : each.encoding);
  return encodeText({ text, encoding: chooseOf(encodingOf(old), encodingOf(own), encodingOf(other)) });
}

/** ASCII, which is the same in every encoding of single bytes. */
function isPlain({ text, encoding }: TextFile): boolean {
  return encoding === 'utf-8' && encodeText({ text, encoding })?.length === text.length;
}

/** What the one who has changed it has chosen; where both have, `mine`. */
export function chooseOf<Value>(base: Value, mine: Value, theirs: Value): Value {
  return mine === base ? theirs : mine;
}

function mergeTexts(base: string, mine: string, theirs: string): string | undefined {
  const [old, own, other] = [lined(base), lined(mine), lined(theirs)];
  if (!old.end || !own.end || !other.end)
    return joined(splitLines(base), splitLines(mine), splitLines(theirs), '');
  return joined(old.lines, own.lines, other.lines, chooseOf(old.end, own.end, other.end));
}

/** `end` is what every line ends in; undefined where they differ. Behind a final line end there is one more line, an empty one. */
function lined(text: string) {
  const end = usualLineEnd(splitLines(text));
  const lines = text.split(end);
  const isEven = !lines.some((line) => line.includes('\n') || line.endsWith('\r'));
  return { lines, end: isEven ? end : undefined };
}

function joined(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
  end: string,
): string | undefined {
  return mergeLines(base, mine, theirs)?.join(end);
}
