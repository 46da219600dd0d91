// What models do when they edit: each variant makes a scene of a real change.
import {
  eachLine,
  type FileVersions,
  type Hunk,
  type Passage,
  passageOf,
  textsOf,
  uniquePassage,
  withHunks,
} from './file-change.ts';

export type EditInput = Readonly<Record<string, unknown>>;

/** Lines of the file as it was read, counted from 1. */
export interface Lines {
  readonly first: number;
  readonly last: number;
}

/** A file that the model has read whole, and the calls of its next reply. */
export interface Scene {
  readonly file: string;
  readonly calls: readonly { readonly input: EditInput; readonly place: Lines }[];
  /** The text of the file is as it must be. Undefined if the last call must be refused. */
  readonly isRight?: (text: string) => boolean;
}

/** Undefined if the variant says nothing about this hunk. `seed` chooses among the forms of the variant. */
export type Variant = (versions: FileVersions, at: number, seed: number) => Scene | undefined;

/** By the words of the table. */
export const VARIANTS: Readonly<Record<string, Variant>> = {
  exact: byText((passage) => passage),
  'trailing white space lost': trailingSpace,
  'indentation off by one level': byText(shifted),
  'tabs for spaces, spaces for tabs': tabs,
  'typographic quotes': byText(curled),
  'line numbers copied': numbered,
  'old text from before an earlier edit': staleText,
  'text that occurs twice': twice,
  'CRLF file': carriageReturns,
  'lines by numbers from before earlier edits': staleNumbers,
};

interface Texts {
  readonly old: string;
  readonly next: string;
}

/** The same file, with other texts. */
function byText(write: (texts: Texts, seed: number, file: string) => Texts | undefined): Variant {
  return ({ before, hunks }, at, seed) => {
    const hunk = hunks[at];
    const passage = hunk && uniquePassage(before, hunk, seed % 4);
    const texts = passage && write(textsOf(passage, hasEnd(seed)), seed, before.join(''));
    if (!texts) return undefined;
    const after = withHunks(before, [passage.hunk]);
    return sceneOf(before.join(''), passage, texts, (text) => text === after);
  };
}

function hasEnd(seed: number): boolean {
  return seed % 8 < 4;
}

function sceneOf(file: string, passage: Passage, texts: Texts, isRight?: Scene['isRight']): Scene {
  return { file, calls: [callOf(passage, texts)], ...(isRight && { isRight }) };
}

function callOf({ first, old }: Passage, texts: Texts): Scene['calls'][number] {
  return {
    input: { old_string: texts.old, new_string: texts.next },
    place: { first: first + 1, last: first + old.length },
  };
}

/** The file has it on lines of every kind. Nobody can know what the changed lines should have. */
function trailingSpace({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const hunk = hunks[at];
  const passage = hunk && uniquePassage(before, hunk, seed % 4);
  if (!passage) return undefined;
  const spaced = before.map((line, index) =>
    index === passage.first || (index * 7 + seed) % 3 === 0
      ? line.replace(/\n?$/, index % 2 ? '  $&' : '\t$&')
      : line,
  );
  const own = passageOf(
    spaced,
    { ...hunk, removed: spaced.slice(hunk.start, hunk.start + hunk.removed.length) },
    0,
  );
  const after = splitKeeping(withHunks(spaced, [own.hunk]));
  const changed = new Set(hunk.added.map((line) => line.trimEnd()));
  const end = passage.first + passage.next.length;
  const isFree = (index: number) =>
    index >= passage.first && index < end && changed.has(after[index]?.trimEnd() ?? '');
  const isRight = (text: string) => {
    const lines = splitKeeping(text);
    return (
      lines.length === after.length &&
      lines.every(
        (line, index) =>
          line === after[index] || (isFree(index) && line.trimEnd() === after[index]?.trimEnd()),
      )
    );
  };
  const { old, next } = textsOf(passage, hasEnd(seed));
  const lost = (text: string) => eachLine(text, (line) => line.trimEnd());
  return sceneOf(spaced.join(''), passage, { old: lost(old), next: lost(next) }, isRight);
}

function splitKeeping(text: string): string[] {
  return text.split(/(?<=\n)/);
}

/** One level less where every line has one, else one more. */
function shifted({ old, next }: Texts, seed: number): Texts | undefined {
  const lines = [old, next].flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
  const canLess = lines.every((line) => line.startsWith('  '));
  const isLess = canLess && seed % 3 !== 0;
  const shift = (text: string) =>
    eachLine(text, (line) => (line.trim() === '' ? line : isLess ? line.slice(2) : `  ${line}`));
  return { old: shift(old), next: shift(next) };
}

/** The model writes tabs where the file has spaces, or four spaces where it has tabs. */
function tabs({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const hunk = hunks[at];
  const passage = hunk && uniquePassage(before, hunk, seed % 4);
  if (!passage?.old.some((line) => /^ {2}/.test(line))) return undefined;
  const tabbed = (line: string) => line.replace(/^(?: {2})+/, (spaces) => '\t'.repeat(spaces.length / 2));
  const wide = (line: string) => line.replace(/^(?: {2})+/, (spaces) => spaces + spaces);
  const isTabbed = seed % 2 === 0;
  const [ofFile, ofModel] = isTabbed ? [tabbed, wide] : [(line: string) => line, tabbed];
  const texts = textsOf(passage, hasEnd(seed));
  const after = eachLine(withHunks(before, [passage.hunk]), ofFile);
  const write = (text: string) => eachLine(text, ofModel);
  return sceneOf(
    eachLine(before.join(''), ofFile),
    passage,
    { old: write(texts.old), next: write(texts.next) },
    (text) => text === after,
  );
}

/**
 * Only where the old text has quotes, and the file has no typographic ones: otherwise, those of the new text
 * may be meant.
 */
function curled({ old, next }: Texts, _seed: number, file: string): Texts | undefined {
  if (!/['"]/.test(old) || /[‘’“”]/.test(file + next)) return undefined;
  const curl = (text: string) =>
    text
      .replace(/(?<=^|[\s([{=])"/gm, '“')
      .replace(/"/g, '”')
      .replace(/(?<=^|[\s([{=])'/gm, '‘')
      .replace(/'/g, '’');
  return { old: curl(old), next: curl(next) };
}

/** Of the old text, or of both. */
function numbered({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const hunk = hunks[at];
  const passage = hunk && uniquePassage(before, hunk, seed % 4);
  if (!passage) return undefined;
  const { old, next } = textsOf(passage, hasEnd(seed));
  const number = (text: string) =>
    eachLine(text, (line, index) => {
      const label = String(passage.first + 1 + index);
      return seed % 3 === 0 ? `${label}\t${line}` : `${label.padStart(5)}→${line}`;
    });
  const texts = { old: number(old), next: seed % 2 === 0 ? number(next) : next };
  const after = withHunks(before, [passage.hunk]);
  return sceneOf(before.join(''), passage, texts, (text) => text === after);
}

/** Two neighboring hunks, both as they were read. The text of the second may have lines that the first changed. */
function staleText({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const pair = [hunks[at], hunks[at + 1]].filter((hunk) => hunk !== undefined);
  if (pair.length < 2) return undefined;
  const ordered = seed % 2 === 0 ? pair : pair.toReversed();
  const passages = ordered.map((hunk) => uniquePassage(before, hunk, 1 + (seed % 3)));
  const calls = passages.flatMap((passage) =>
    passage ? [callOf(passage, textsOf(passage, hasEnd(seed)))] : [],
  );
  const after = withHunks(before, pair);
  return calls.length < 2 ? undefined : { file: before.join(''), calls, isRight: (text) => text === after };
}

/** A second place has the same lines, or the same but for their white space, and the model has neither's. */
function twice({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const hunk = hunks[at];
  const passage = hunk && uniquePassage(before, hunk, seed % 4);
  if (!passage || !before.at(-1)?.endsWith('\n')) return undefined;
  const form = seed % 3;
  const more = (line: string) => (line.trim() === '' ? line : `  ${line}`);
  const copy = passage.old.map((line) =>
    form === 1 ? more(line) : form === 2 ? line.replace('\n', ' \n') : line,
  );
  const file = [...before, ...copy].join('');
  const texts = textsOf(passage, hasEnd(seed));
  const change = (text: string) =>
    eachLine(text, (line) => (form === 1 ? more(more(line)) : form === 2 ? `${line}\t` : line));
  return sceneOf(file, passage, { old: change(texts.old), next: change(texts.next) });
}

/** The model does not see carriage returns. */
function carriageReturns({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const hunk = hunks[at];
  const passage = hunk && uniquePassage(before, hunk, seed % 4);
  if (!passage) return undefined;
  const returned = (text: string) => text.replaceAll('\n', '\r\n');
  const after = returned(withHunks(before, [passage.hunk]));
  return sceneOf(
    returned(before.join('')),
    passage,
    textsOf(passage, hasEnd(seed)),
    (text) => text === after,
  );
}

/** Calls of one reply. */
const MOST_CALLS = 6;

/** Each call has the numbers of the `read` before all of them. */
function staleNumbers({ before, hunks }: FileVersions, at: number, seed: number): Scene | undefined {
  const played = hunks.slice(at, at + MOST_CALLS);
  const after = withHunks(before, played);
  const hasEnds = before.at(-1)?.endsWith('\n') && after.endsWith('\n');
  if (played.length < 2 || !hasEnds) return undefined;
  const ordered = seed % 3 === 0 ? played.toReversed() : played;
  const calls = ordered.map((hunk) => ({
    input: { operations: [operationOf(hunk)] },
    place: { first: Math.max(1, hunk.start), last: hunk.start + hunk.removed.length },
  }));
  return { file: before.join(''), calls, isRight: (text) => text === after };
}

function operationOf({ start, removed, added }: Hunk): EditInput {
  const content = added.map((line) => line.replace(/\n$/, ''));
  if (removed.length === 0) return { op: 'insert', afterLine: start, content };
  const range = { startLine: start + 1, endLine: start + removed.length };
  return added.length === 0 ? { op: 'delete', ...range } : { op: 'replace', ...range, content };
}
