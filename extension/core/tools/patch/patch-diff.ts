import type { Diff } from '../../../protocol/events.ts';
import { compareTexts, countLines } from '../compare-texts.ts';
import { shownDiff } from '../shown-diff.ts';
import type { ToolContext } from '../tool.ts';
import { type PlannedFile, textBefore } from './planned-file.ts';

export interface PatchDiff {
  readonly added: number;
  readonly removed: number;
  readonly diff: Diff | undefined;
}

/** Characters of the diffs of all files. */
const MAX_TEXT = 11_000;

/** `A`, `M` or `D`: it was added, changed, or deleted. */
export function letterOf({ before, from, after }: PlannedFile): 'A' | 'M' | 'D' {
  if (!after) return 'D';
  return before || from ? 'M' : 'A';
}

/** Where there are several files, each of their diffs has a remark with its name before it. */
export function diffFiles(
  files: readonly PlannedFile[],
  withoutSecrets: ToolContext['withoutSecrets'],
): PatchDiff {
  const parts = files.map((file) => diffFile(file, withoutSecrets));
  const sum = (count: (part: (typeof parts)[number]) => number) =>
    parts.reduce((total, part) => total + count(part), 0);
  const isOne = files.length === 1;
  const texts: string[] = [];
  let left = MAX_TEXT;
  let moreLines = 0;
  for (const { name, diff } of parts) {
    const text = [...(isOne ? [] : [`\\ ${name}`]), ...(diff ? [diff.text] : [])].join('\n');
    left -= text.length;
    if (left >= 0 || texts.length === 0) texts.push(text);
    else moreLines += text.split('\n').length;
    moreLines += diff?.moreLines ?? 0;
  }
  const text = texts.filter(Boolean).join('\n');
  return {
    added: sum(({ added }) => added),
    removed: sum(({ removed }) => removed),
    diff: text === '' ? undefined : { text, ...(moreLines > 0 && { moreLines }) },
  };
}

function diffFile(file: PlannedFile, withoutSecrets: ToolContext['withoutSecrets']) {
  const { target, from, after } = file;
  const name = `${letterOf(file)} ${from ? `${from.target.given} → ${target.given}` : target.given}`;
  const before = textBefore(file);
  // Of a binary file there are no lines to show.
  const now = before === undefined ? '' : (after?.text ?? '');
  const comparison = compareTexts(before ?? '', now);
  return {
    name,
    added: countLines(comparison, '+'),
    removed: countLines(comparison, '-'),
    diff: shownDiff(before ?? '', now, comparison, withoutSecrets),
  };
}
