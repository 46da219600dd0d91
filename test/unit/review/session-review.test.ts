import fc from 'fast-check';
import { expect, it } from 'vitest';
import { baseBytes, type FileReview, pendingIds } from '../../../extension/core/review/file-review.ts';
import { joinLines, textLines } from '../../../extension/core/review/text-content.ts';
import type { FileState } from '../../../extension/protocol/events.ts';
import { PATH, ReviewPlace, type Text } from '../../support/review-place.ts';

function shown({ cells = [] }: FileReview): string[] {
  return cells.map(({ sign, line }) => sign + line.text);
}

function idsOf(review: FileReview, ...lines: string[]): Set<string> {
  const chosen = (review.cells ?? []).filter(({ sign, line }) => lines.includes(sign + line.text));
  return new Set(chosen.map(({ line }) => line.id));
}

it('has nothing to say of a file that the session never changed', async () => {
  await expect(new ReviewPlace('a').review()).rejects.toThrow('never changed');
});

it('has nothing to say of what was done before an import, also into the same folder', async () => {
  const place = new ReviewPlace('a');
  await place.agent('b');
  await place.log({ type: 'imported', from: { session: 'other', head: '' }, cwd: '/repo' });
  await expect(place.review()).rejects.toThrow('never changed');
  await place.agent('c');
  expect(shown(await place.review())).toEqual(['-b', '+c']);
});

it('shows what the agent has removed and added, with who did it', async () => {
  const place = new ReviewPlace('a\nb\nc\n');
  await place.agent('a\nB\nc\nd\n');
  const review = await place.review();
  expect(shown(review)).toEqual([' a', '-b', '+B', ' c', '+d']);
  const seq = place.events.at(-1)?.seq;
  expect(review.hunks).toMatchObject([
    { baseLine: 1, nowLine: 1, added: 1, removed: 1, authors: [seq] },
    { baseLine: 3, nowLine: 3, added: 1, removed: 0, authors: [seq] },
  ]);
});

it('leaves out what the user has written beside it', async () => {
  const place = new ReviewPlace('a\nb\nc\n');
  await place.agent('a\nB\nc\n');
  place.text = 'mine\na\nB\nc\nmine too\n';
  expect(shown(await place.review())).toEqual([' mine', ' a', '-b', '+B', ' c', ' mine too']);
  await place.agent('mine\na\nB\nmine too\n');
  expect(shown(await place.review())).toEqual([' mine', ' a', '-b', '-c', '+B', ' mine too']);
  await place.reject(pendingIds(await place.review()));
  expect(place.text).toBe('mine\na\nb\nc\nmine too\n');
});

it('knows a last line again that is no longer ended, with or without a return before', async () => {
  const place = new ReviewPlace('one\r\ntwo\r\nlast\n');
  await place.agent('two\r\nlast');
  expect(shown(await place.review())).toEqual(['-one\r', ' two\r', ' last']);
  await place.agent('two\nlast');
  await place.agent('new\ntwo\n\nlast');
  await place.reject(idsOf(await place.review(), '+new', '+two'));
  expect(place.text).toBe('\nlast');
});

it('takes what the user has written over a replacement as his own', async () => {
  const place = new ReviewPlace('a\nb\nc\n');
  await place.agent('a\nB\nc\n');
  place.text = 'a\nmy b\nc\n';
  expect((await place.review()).isPending).toBe(false);
});

it('is what it was when a file is again as it was', async () => {
  const place = new ReviewPlace('a\nb\n');
  await place.agent('a\nB\nC\n');
  const before = shown(await place.review());
  await place.reject(idsOf(await place.review(), '+C'));
  place.text = 'a\nB\nC\n';
  expect(shown(await place.review())).toEqual(before);
  await place.restore('a\nb\n');
  expect((await place.review()).isPending).toBe(false);
  await place.restore('a\nB\nC\n');
  expect(shown(await place.review())).toEqual(before);
});

it('keeps a created and a deleted file apart from an empty one', async () => {
  const created = new ReviewPlace(undefined);
  await created.agent('a\nb\n');
  await created.reject(idsOf(await created.review(), '+a'));
  expect(created.text).toBe('b\n');
  await created.reject(pendingIds(await created.review()));
  expect(created.text).toBeUndefined();
  const emptied = new ReviewPlace('a\n');
  await emptied.agent(undefined);
  await emptied.accept(pendingIds(await emptied.review()));
  expect((await emptied.review()).isPending).toBe(false);
  await emptied.agent('');
  expect(await emptied.review()).toMatchObject({ isPending: true, hunks: [] });
});

it('follows a file to another name', async () => {
  const place = new ReviewPlace('a\n');
  await place.agent('a\nb\n');
  const seq = place.events.at(-1)?.seq;
  const [absent, file] = [await place.stateOf(undefined), await place.stateOf('a\nb\n')];
  const changes = [
    { path: '/repo/file.txt', before: file, after: absent },
    { path: '/repo/new.txt', before: absent, after: file },
  ];
  await place.log({ type: 'files_changed', id: 'move', by: 'tool', changes });
  const review = await place.reviewOf('/repo/new.txt', file);
  expect(review?.now.lines?.map(({ text, author }) => [text, author])).toEqual([
    ['a', 'before'],
    ['b', seq],
  ]);
});

it('takes a move for nobody’s words, and has it once', async () => {
  const place = new ReviewPlace('a\n');
  const [absent, file] = [await place.stateOf(undefined), await place.stateOf('a\n')];
  const changes = [
    { path: '/repo/file.txt', before: file, after: absent },
    { path: '/repo/new.txt', before: absent, after: file },
  ];
  await place.log({ type: 'files_changed', id: 'move', by: 'tool', changes });
  const review = await place.reviewOf('/repo/new.txt', file);
  expect(review).toMatchObject({ from: '/repo/file.txt', isPending: true, hunks: [] });
  expect(review?.now.lines?.map(({ author }) => author)).toEqual(['before']);
  expect(await place.reviewOf('/repo/file.txt', absent)).toMatchObject({ isPending: false });
});

it('folds each step once, however often a file is moved to and fro', async () => {
  const place = new ReviewPlace('a\nb\n');
  await place.agent('a\nb\nc\n');
  const [there, back] = [PATH, '/repo/file.bak'];
  for (let turn = 0; turn < 20; turn += 1) {
    await place.move(there, back, 'a\nb\nc\n');
    await place.move(back, there, 'a\nb\nc\n');
  }
  await place.agent('b\nc\n');
  const review = await place.review();
  expect(place.reads).toBeLessThan(400);
  expect(shown(review)).toEqual(['-a', ' b', '+c']);
  expect(review.hunks.at(-1)?.authors).toEqual([place.events.at(0)?.seq]);
  expect(await place.reviewOf(back, { kind: 'absent' })).toMatchObject({ isPending: false });
});

it('knows who has removed a line behind a move, whichever path it is asked of first', async () => {
  const place = new ReviewPlace('a\nb\n');
  const [absent, moved] = [await place.stateOf(undefined), await place.stateOf('a\nb\n')];
  const now = await place.stateOf('b\n');
  await place.move(PATH, '/repo/new.txt', 'a\nb\n');
  await place.change([{ path: '/repo/new.txt', before: moved, after: now }]);
  const seq = place.events.at(-1)?.seq;
  expect((await place.reviewOf('/repo/new.txt', now))?.hunks).toMatchObject([{ authors: [seq] }]);
  expect(await place.reviewOf(PATH, absent)).toMatchObject({ isPending: false });
  expect((await place.reviewOf('/repo/new.txt', now))?.hunks).toMatchObject([{ authors: [seq] }]);
});

it('decides as a whole on a file of very many lines, however short they are', async () => {
  const pendingOf = async (count: number) => {
    const place = new ReviewPlace('\n'.repeat(count));
    await place.agent(`x${'\n'.repeat(count)}`);
    const { cells, isPending } = await place.review();
    return { lines: cells?.length, isPending };
  };
  expect(await pendingOf(240_000)).toEqual({ lines: 240_001, isPending: true });
  expect(await pendingOf(260_000)).toEqual({ lines: undefined, isPending: true });
});

it('lets go of long files that were not asked for lately, and folds them again', async () => {
  const place = new ReviewPlace(undefined);
  const long = 'x\n'.repeat(100_000);
  const states = await Promise.all([long, `${long}mine\n`].map((each) => place.stateOf(each)));
  const [before, after] = states as [FileState, FileState];
  const paths = Array.from({ length: 4 }, (_, index) => `/repo/${index}.txt`);
  await place.change(paths.map((path) => ({ path, before, after })));
  const readsOf = async (path: string) => {
    const reads = place.reads;
    expect(shown((await place.reviewOf(path, after)) as FileReview).at(-1)).toBe('+mine');
    return place.reads - reads;
  };
  for (const path of paths) expect(await readsOf(path)).toBeGreaterThan(0);
  expect(await readsOf('/repo/3.txt')).toBe(0);
  expect(await readsOf('/repo/0.txt')).toBeGreaterThan(0);
});

it('leaves the user the end of their line in a file that was empty', async () => {
  const place = new ReviewPlace('');
  await place.agent('a\n');
  place.text = 'a\nmine\n';
  await place.reject(pendingIds(await place.review()));
  expect(place.text).toBe('mine\n');
});

it('does not take a rejection during a command for the work of the command', async () => {
  const place = new ReviewPlace('a\n');
  await place.agent('a\nb\nc\n');
  const started = await place.stateOf('a\nb\nc\n');
  await place.log({ type: 'tool_started', id: 'bash' });
  await place.reject(idsOf(await place.review(), '+b'));
  const ended = await place.stateOf('a\nc\nd\n');
  const changes = [{ path: '/repo/file.txt', before: started, after: ended }];
  await place.log({ type: 'files_changed', id: 'bash', by: 'tool', changes });
  place.text = 'a\nc\nd\n';
  expect(shown(await place.review())).toEqual([' a', '+c', '+d']);
});

const line = fc.constantFrom('a', 'b', 'c', '}', '', 'x\r');
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.boolean())
  .map(([lines, isEnded]) => (isEnded ? `${lines.join('\n')}\n` : bare(lines.join('\n'))));
const file: fc.Arbitrary<Text> = fc.option(text, { nil: undefined, freq: 6 });

/** Some of the pending lines. */
function someOf(review: FileReview, pick: readonly boolean[]): Set<string> {
  return new Set([...pendingIds(review)].filter((_, index) => pick[index % pick.length]));
}
const picks = fc.array(fc.boolean(), { minLength: 1, maxLength: 9 });

it('gives a text back as it was', () => {
  const any = fc.array(fc.constantFrom('a', '\n', '\r', '\r\n')).map((parts) => parts.join(''));
  fc.assert(
    fc.property(any, (given) => {
      expect(joinLines(textLines(given))).toBe(given);
    }),
  );
});

it('all accepted is the file as it is, all rejected is the file as it was', async () => {
  await fc.assert(
    fc.asyncProperty(
      file,
      fc.array(file, { minLength: 1, maxLength: 4 }),
      picks,
      async (first, texts, pick) => {
        const place = new ReviewPlace(first);
        for (const next of texts) await place.agent(next);
        await place.accept(someOf(await place.review(), pick));
        const review = await place.reread();
        const [base, now] = [baseTextOf(review), place.text];
        await place.reject(pendingIds(review));
        if (base !== undefined && now !== undefined) expect(place.text).toBe(base);
        expect((await place.review()).hunks).toEqual([]);
        place.text = now;
        await place.accept(pendingIds(await place.review()));
        expect(place.text).toBe(now);
        expect((await place.review()).hunks).toEqual([]);
      },
    ),
  );
});

it('some accepted and the others rejected are exactly the chosen lines, in either order', async () => {
  await fc.assert(
    fc.asyncProperty(text, text, fc.option(text), picks, async (first, next, edit, pick) => {
      const ends = await Promise.all(
        [true, false].map(async (acceptFirst) => {
          const place = new ReviewPlace(first);
          await place.agent(next);
          place.text = edit ?? next;
          const review = await place.review();
          const chosen = someOf(review, pick);
          const others = new Set([...pendingIds(review)].filter((id) => !chosen.has(id)));
          if (acceptFirst) await place.accept(chosen);
          await place.reject(others);
          if (!acceptFirst) await place.accept(chosen);
          expect((await place.reread()).hunks).toEqual([]);
          const kept = (review.cells ?? []).filter(
            ({ sign, line: { id } }) => sign === ' ' || chosen.has(id) === (sign === '+'),
          );
          expect(textLines(place.text ?? '').lines.map(bare)).toEqual(
            kept.map((cell) => bare(cell.line.text)),
          );
          return textLines(place.text ?? '').lines.map(bare);
        }),
      );
      expect(ends[0]).toEqual(ends[1]);
    }),
  );
});

it('what the user has written survives every decision, and what he has removed stays away', async () => {
  const edit = fc.record({ at: fc.nat(), remove: fc.nat(2) });
  const step = fc.oneof(
    edit.map((agent) => ({ agent })),
    edit.map((user) => ({ user })),
    picks.map((reject) => ({ reject })),
    picks.map((accept) => ({ accept })),
  );
  await fc.assert(
    fc.asyncProperty(text, text, fc.array(step, { maxLength: 8 }), async (first, next, steps) => {
      const place = new ReviewPlace(first);
      await place.agent(next);
      let written = 0;
      for (const act of steps) {
        const mine = new Set(ownLines(place.text));
        written += 1;
        if ('user' in act) place.text = edited(place.text, act.user, `mine ${written}`, () => true);
        else if ('agent' in act)
          await place.agent(
            edited(place.text, act.agent, `its ${written}`, (each) => !each.startsWith('mine')),
          );
        else if ('accept' in act) await place.accept(someOf(await place.review(), act.accept));
        else await place.reject(someOf(await place.review(), act.reject));
        if (!('user' in act)) expect(new Set(ownLines(place.text))).toEqual(mine);
        const pending = shown(await place.review()).filter((cell) => /^[+-]mine/.test(cell));
        expect(pending).toEqual([]);
      }
      const ids = [...pendingIds(await place.review())];
      expect([...pendingIds(await place.reread())]).toEqual(ids);
    }),
  );
});

/** With `line` put in, and up to two lines from there on taken out which may be. */
function edited(
  given: Text,
  { at, remove }: { at: number; remove: number },
  added: string,
  mayGo: (line: string) => boolean,
): string {
  const lines = [...textLines(given ?? '').lines];
  const place = at % (lines.length + 1);
  const kept = lines.slice(place, place + remove).filter((each) => !mayGo(each));
  return lines.toSpliced(place, remove, added, ...kept).join('\n');
}

function ownLines(text: Text): string[] {
  return textLines(text ?? '')
    .lines.filter((each) => each.startsWith('mine'))
    .map(bare);
}

function baseTextOf(review: FileReview): Text {
  const bytes = baseBytes(review);
  return review.base.state.kind === 'absent' ? undefined : new TextDecoder().decode(bytes);
}

function bare(lineText: string): string {
  return lineText.replace(/\r+$/, '');
}

it('takes in a long file that both have changed', async () => {
  const long = Array.from({ length: 200_000 }, (_, row) => `${row}\n`).join('');
  const place = new ReviewPlace(long);
  await place.agent(`${long}agent\n`);
  place.text = `${long}agent\nmine\n`;
  expect(shown(await place.review()).slice(-2)).toEqual(['+agent', ' mine']);
});
