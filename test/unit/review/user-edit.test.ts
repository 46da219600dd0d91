// What the user has written beside what the agent has: a rejection is to leave the user's edit of the text of before.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pendingIds } from '../../../extension/core/review/file-review.ts';
import { ReviewPlace } from '../../support/review-place.ts';

const joined = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');

async function edited(base: string, agent: string, user: string): Promise<ReviewPlace> {
  const place = new ReviewPlace(base);
  await place.agent(agent);
  place.text = user;
  return place;
}

const RULES = [
  { what: 'the line above is edited', base: 'a b c', agent: 'a B c', user: 'A2 B c', rejected: 'A2 b c' },
  { what: 'the line below is edited', base: 'a b c', agent: 'a B c', user: 'a B c2', rejected: 'a b c2' },
  { what: 'both are edited', base: 'a b c', agent: 'a B c', user: 'A2 B c2', rejected: 'A2 b c2' },
  {
    what: 'the line above a removal is edited',
    base: 'a b c',
    agent: 'a c',
    user: 'A2 c',
    rejected: 'A2 b c',
  },
  {
    what: 'the line below a removal is edited',
    base: 'a b c',
    agent: 'a c',
    user: 'a c2',
    rejected: 'a b c2',
  },
  { what: 'both beside a removal are', base: 'a b c', agent: 'a c', user: 'A2 c2', rejected: 'A2 b c2' },
  { what: 'a line is put in above', base: 'a b c', agent: 'a B c', user: 'a new B c', rejected: 'a new b c' },
  { what: 'a line is put in below', base: 'a b c', agent: 'a B c', user: 'a B new c', rejected: 'a b new c' },
  { what: 'the head of a block is edited', base: 'f x }', agent: 'f y }', user: 'F y }', rejected: 'F x }' },
  { what: 'the line above goes', base: 'a b c', agent: 'a B c', user: 'B c', rejected: 'b c' },
  {
    what: 'the line between two is edited',
    base: 'a b c d',
    agent: 'A b C d',
    user: 'A b2 C d',
    rejected: 'a b2 c d',
  },
  { what: 'a line of the agent goes', base: 'a b c', agent: 'a B c', user: 'a c', rejected: 'a b c' },
  {
    what: 'a line of the agent is replaced',
    base: 'a b c',
    agent: 'a B c',
    user: 'a mine c',
    rejected: 'a mine c',
  },
  {
    what: 'one of its lines is',
    base: 'a b c',
    agent: 'a B B2 c',
    user: 'a mine B2 c',
    rejected: 'a b mine c',
  },
  {
    what: 'a removed line is put back',
    base: 'a b c d',
    agent: 'a d',
    user: 'a mine c d',
    rejected: 'a mine b c d',
  },
];

describe('the user has edited beside a change', () => {
  it.each(RULES)('$what', async ({ base, agent, user, rejected }) => {
    const text = (words: string) => joined(words.split(' '));
    const place = await edited(text(base), text(agent), text(user));
    await place.reject(pendingIds(await place.review()));
    expect(place.text).toBe(text(rejected));
  });

  it('one of two changes is rejected, with what it replaced', async () => {
    const place = await edited('a\nb\nc\nd\ne\n', 'a\nB\nc\nD\ne\n', 'a2\nB\nc2\nD\ne\n');
    const { hunks } = await place.review();
    expect(hunks.map(({ cells }) => cells.map(({ sign, line }) => sign + line.text).join())).toEqual([
      '-b,+B',
      '-d,+D',
    ]);
    await place.reject(pendingIds({ hunks: hunks.slice(0, 1) }));
    expect(place.text).toBe('a2\nb\nc2\nD\ne\n');
  });
});

/** A line of what the agent has left: its own, or one that it kept, with what it has removed before it. */
interface Left {
  readonly text: string;
  readonly isAgents: boolean;
  readonly removed: readonly string[];
}

/** What the user makes of one line, and how many lines of her own stand before it. */
interface Edit {
  readonly keeps: boolean;
  readonly writes: number;
}

const hunk = fc.record({ removed: fc.nat(2), added: fc.nat(2) });
const edit: fc.Arbitrary<Edit> = fc.record({ keeps: fc.boolean(), writes: fc.constantFrom(0, 0, 1, 2) });

/** Between any two hunks there is one line that the agent has kept. */
function leftBy(hunks: readonly { removed: number; added: number }[]): Left[] {
  return hunks.flatMap((each, at) => {
    const removed = Array.from({ length: each.removed }, (_, n) => `old ${at}.${n}`);
    const added = Array.from({ length: each.added }, (_, n) => ({
      text: `its ${at}.${n}`,
      isAgents: true,
      removed: n === 0 ? removed : [],
    }));
    return [...added, { text: `kept ${at}`, isAgents: false, removed: each.added === 0 ? removed : [] }];
  });
}

/**
 * The user's text, and what it is to be when everything is rejected. Where she has written over both sides of a removal, or
 * over what the agent had put in a place, nobody can say where the lines of before belong: those are `open`.
 */
function reference(left: readonly Left[], edits: readonly Edit[]) {
  const user: string[] = [];
  const rejected: string[] = [];
  const open = new Set<string>();
  let region: Left[] = [];
  let own: string[] = [];
  for (const [at, line] of left.entries()) {
    const { keeps, writes } = edits[at % edits.length] as Edit;
    own.push(...Array.from({ length: writes }, (_, n) => `mine ${at}.${n}`));
    region.push(line);
    if (!keeps && at < left.length - 1) continue;
    const written = settled(region, own);
    user.push(...own, line.text);
    rejected.push(...written.lines, ...(line.isAgents ? [] : [line.text]));
    for (const text of written.open) open.add(text);
    [region, own] = [[], []];
  }
  return { user, rejected, open };
}

/** Between two lines that the user has kept; the last one of `region` is kept too. */
function settled(region: readonly Left[], own: readonly string[]): { lines: string[]; open: string[] } {
  const removed = region.flatMap((line) => line.removed);
  const gone = region.slice(0, -1);
  const isBare = gone.length === 0;
  if (own.length === 0 || removed.length === 0) return { lines: [...own, ...removed], open: [] };
  const isBefore = isBare ? region.at(-1)?.isAgents : gone.every((line) => line.removed.length === 0);
  const isBehind = !isBare && region.slice(1).every((line) => line.removed.length === 0);
  if (gone.some(({ isAgents }) => isAgents) || (!isBefore && !isBehind))
    return { lines: [...own], open: removed };
  return { lines: isBefore ? [...own, ...removed] : [...removed, ...own], open: [] };
}

it('all rejected is what the user has made of the file as it was; all accepted is the file as it is', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(hunk, { minLength: 1, maxLength: 5 }),
      fc.array(edit, { minLength: 1, maxLength: 12 }),
      async (hunks, edits) => {
        const left = leftBy(hunks);
        const base = left.flatMap(({ text, isAgents, removed }) => [...removed, ...(isAgents ? [] : [text])]);
        const { user, rejected, open } = reference(left, edits);
        const place = await edited(joined(base), joined(left.map(({ text }) => text)), joined(user));
        await place.reject(pendingIds(await place.review()));
        const lines = (place.text ?? '').split('\n').slice(0, -1);
        expect(lines.filter((line) => !open.has(line))).toEqual(rejected);
        expect((await place.reread()).isPending).toBe(false);

        const accepted = await edited(joined(base), joined(left.map(({ text }) => text)), joined(user));
        await accepted.accept(pendingIds(await accepted.review()));
        expect(accepted.text).toBe(joined(user));
        expect((await accepted.reread()).isPending).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});
