// Gives the new lines of a model the indentation of the file, where the model wrote another one.
import { indentationPairs, leadingSpace } from './find-text.ts';

/** For lines of the model, whose old lines `wanted` are those of the file in `found`. */
export function indentationShift(found: string, wanted: string): (line: string) => string {
  const pairs = indentationPairs(found, wanted);
  if (pairs.every(([from, to]) => from === to)) return (line) => line;
  const unit = tabUnit(pairs);
  const toFile = unit ? (own: string) => withUnit(own, unit) : (own: string) => shifted(own, pairs);
  return (line) => {
    const own = leadingSpace(line);
    return line.trim() === '' ? '' : toFile(own) + line.slice(own.length);
  };
}

type Pairs = ReturnType<typeof indentationPairs>;

/** A tab of one side stands for `width` spaces of the other. */
interface TabUnit {
  readonly width: number;
  readonly isToTabs: boolean;
}

/** Undefined unless one side has tabs, the other one spaces, and one width of a tab explains all pairs. */
function tabUnit(pairs: Pairs): TabUnit | undefined {
  const isToTabs = pairs.some(([, to]) => to.includes('\t'));
  const sides = pairs.map(([from, to]) =>
    isToTabs ? { tabbed: to, spaced: from } : { tabbed: from, spaced: to },
  );
  const widths = new Set(sides.filter(({ tabbed }) => tabbed.includes('\t')).map(widthOfTab));
  const [width = 0, ...others] = widths;
  const isUnit = others.length === 0 && Number.isInteger(width) && width >= 2;
  const fits = sides.every(
    ({ tabbed, spaced }) => !spaced.includes('\t') && spacesOf(tabbed, width) === spaced,
  );
  return isUnit && fits ? { width, isToTabs } : undefined;
}

/** Spaces after the tabs align a line, as in comments. */
function widthOfTab({ tabbed, spaced }: { readonly tabbed: string; readonly spaced: string }): number {
  const tabs = tabbed.lastIndexOf('\t') + 1;
  return (spaced.length - (tabbed.length - tabs)) / tabs;
}

function spacesOf(tabbed: string, width: number): string {
  return tabbed.replaceAll('\t', ' '.repeat(width));
}

function withUnit(own: string, { width, isToTabs }: TabUnit): string {
  const spaces = spacesOf(own, width);
  if (!isToTabs) return spaces;
  return '\t'.repeat(Math.floor(spaces.length / width)) + ' '.repeat(spaces.length % width);
}

function shifted(own: string, pairs: Pairs): string {
  const known = pairs.filter(([from]) => own.startsWith(from)).sort(([a], [b]) => b.length - a.length)[0];
  if (known) return known[1] + converted(own.slice(known[0].length), pairs);
  // Shallower than all known lines.
  const [from = '', to = ''] = pairs.toSorted(([a], [b]) => a.length - b.length)[0] ?? [];
  const less = from.length - own.length;
  const step = converted(from.slice(0, less), pairs).length;
  return to.slice(0, Math.max(0, to.length - step));
}

/** Further indentation, in tabs or spaces as the file has them. */
function converted(rest: string, pairs: Pairs): string {
  for (const [from, to] of pairs) {
    if (from.length === 0 || to.length === 0) continue;
    const isToTabs = /^ +$/.test(from) && /^\t+$/.test(to);
    if (isToTabs) return rest.replaceAll(' '.repeat(Math.max(1, Math.round(from.length / to.length))), '\t');
    const isToSpaces = /^\t+$/.test(from) && /^ +$/.test(to);
    if (isToSpaces)
      return rest.replaceAll('\t', ' '.repeat(Math.max(1, Math.round(to.length / from.length))));
  }
  return rest;
}
