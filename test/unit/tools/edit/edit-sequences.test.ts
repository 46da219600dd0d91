// No sequence of edits, in one reply or several, with other writers between, changes a line that the model was not shown.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { edit } from '../../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import {
  FollowedFile,
  type FollowedLine,
  type FollowedSplice,
} from '../../../support/edits/followed-file.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace, unsavedIn } from '../call-tool.ts';

/** Many files repeat lines, and lines that differ in white space or quotes alone. */
const OFTEN = ['', '}', 'x', '  x', '\tx', "say('x')", 'say(\u2018x\u2019)'];
const lines = fc.array(fc.oneof(fc.constantFrom(...OFTEN), fc.stringMatching(/^[a-h]$/)), {
  ...{ minLength: 3, maxLength: 10, size: 'max' },
});

const operation = fc.record({
  op: fc.constantFrom('replace' as const, 'insert' as const, 'delete' as const),
  number: fc.integer({ min: 1, max: 9 }),
  count: fc.constantFrom(0, 0, 1, 2),
  content: fc.array(fc.constantFrom(...OFTEN, 'new'), { minLength: 1, maxLength: 3 }),
});

/** How the model writes the old text, and the new one in the same way. */
const WAYS: Readonly<Record<string, (line: string, index: number) => string>> = {
  exact: (line) => line,
  unspaced: (line) => line.trimEnd(),
  spaced: (line) => `${line} `,
  deeper: (line) => (line === '' ? '' : `  ${line}`),
  flat: (line) => line.trimStart(),
  numbered: (line, index) => `${String(index + 1).padStart(6)}→${line}`,
  curled: (line) => line.replaceAll("'", '\u2019'),
};

const steps = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('read' as const), at: fc.nat(4), count: fc.nat(16) }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('lines' as const),
        operations: fc.oneof(fc.tuple(operation), fc.tuple(operation, operation)),
      }),
    },
    {
      weight: 6,
      arbitrary: fc.record({
        kind: fc.constant('text' as const),
        at: fc.nat(7),
        count: fc.nat(4),
        from: fc.nat(4),
        removed: fc.nat(2),
        added: fc.nat(2),
        isEarlier: fc.boolean(),
        way: fc.constantFrom('exact', ...Object.keys(WAYS)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('other' as const),
        at: fc.nat(7),
        removed: fc.nat(3),
        added: fc.nat(2),
        how: fc.constantFrom('program' as const, 'editor' as const, 'meanwhile' as const),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('endReply' as const) }) },
  ),
  { maxLength: 14, size: 'max' },
);
type Step = (typeof steps extends fc.Arbitrary<infer All> ? All : never) extends (infer One)[] ? One : never;
type Of<Kind extends Step['kind']> = Extract<Step, { readonly kind: Kind }>;

/** A session, and what its file must be. */
class Play {
  readonly #path: string;
  readonly #file: FollowedFile;
  readonly #tools: ReturnType<typeof bench>;
  /** Of several equal lines one was removed, and nobody can tell which one. */
  isUnclear = false;
  #next = 0;
  /** Only the session has changed the file. */
  #isOwn = true;
  #isUnsaved = false;
  /** Another program makes this change just before the next one of the session. */
  #meanwhile: FollowedSplice | undefined;

  constructor(path: string, file: FollowedFile) {
    const disk = diskWorkspace(join(path, '..'));
    this.#path = path;
    this.#file = file;
    this.#tools = bench({
      ...unsavedIn(disk),
      read: async (...given) => ({ ...(await disk.read(...given)), unsaved: this.#isUnsaved }),
      apply: async (change) => {
        if (this.#meanwhile) await this.#changedByOther(this.#meanwhile);
        return disk.apply(change);
      },
    });
  }

  async play(step: Step): Promise<void> {
    if (step.kind === 'read') await this.#readLines(step);
    if (step.kind === 'lines') await this.#editLines(step);
    if (step.kind === 'text') await this.#editText(step);
    if (step.kind === 'other') await this.#other(step);
    if (step.kind === 'endReply') {
      this.#tools.endReply();
      this.#file.endReply();
    }
    expect(await readFile(this.#path, 'utf8')).toBe(this.#file.content);
  }

  async #readLines({ at, count }: Of<'read'>): Promise<void> {
    const start_line = at + 1;
    const input = { path: this.#path, start_line, end_line: start_line + count };
    await this.#tools.callInReply(read, input).then(
      ({ text }) => this.#file.show(text),
      () => undefined,
    );
  }

  async #other({ at, removed, added, how }: Of<'other'>): Promise<void> {
    const splice = { start: at, removed, added: this.#fresh(added) };
    if (how === 'meanwhile') this.#meanwhile = splice;
    else await this.#changedByOther(splice);
    this.#isUnsaved = how === 'editor';
  }

  async #changedByOther(splice: FollowedSplice): Promise<void> {
    this.#meanwhile = undefined;
    this.#isOwn = false;
    const start = Math.min(splice.start, this.#file.lines.length);
    this.#file.change([{ ...splice, start }]);
    await writeFile(this.#path, this.#file.content);
  }

  async #editLines({ operations }: Of<'lines'>): Promise<void> {
    const splices = this.#spliced(operations);
    const wanted = operations.map(({ op, number, count, content }) => {
      if (op === 'insert') return { op, afterLine: number, content };
      return { op, startLine: number, endLine: number + count, ...(op === 'replace' && { content }) };
    });
    await this.#attempt({ operations: wanted }, (after) => {
      if (after === undefined) return expect(splices && this.#isOwn).toBeFalsy();
      expect(splices).toBeDefined();
      this.#file.change(splices as FollowedSplice[]);
      expect(after).toBe(this.#file.content);
    });
  }

  /** Undefined if one of them means a line that is not known, or if two mean the same. */
  #spliced(operations: Of<'lines'>['operations']): FollowedSplice[] | undefined {
    const splices: FollowedSplice[] = [];
    for (const { op, number, count, content } of operations) {
      const last = op === 'insert' ? number : number + count;
      const start = this.#file.placeOf(number, last);
      if (start === undefined) return undefined;
      const isInsert = op === 'insert';
      splices.push({
        start: isInsert ? start + 1 : start,
        removed: isInsert ? 0 : count + 1,
        added: op === 'delete' ? [] : content,
      });
    }
    return splices.some((one) => splices.some((other) => one !== other && overlap(one, other)))
      ? undefined
      : splices;
  }

  async #editText(step: Of<'text'>): Promise<void> {
    const source = step.isEarlier ? this.#file.linesAsRead : this.#file.lines;
    const old = source.slice(step.at, step.at + step.count + 1);
    if (old.every(({ text }) => text === '')) return;
    const first = Math.min(step.from, old.length);
    const gone = old.slice(first, first + step.removed);
    const added = this.#fresh(step.added);
    const next = old.map(textOf).toSpliced(first, gone.length, ...added);
    const input = { old_string: written(old.map(textOf), step.way), new_string: written(next, step.way) };
    const { lines, content, lineEnd } = this.#file;
    const places = countOf(content, input.old_string.replaceAll('\n', lineEnd));
    const isClear = places === 1 && step.way === 'exact' && !step.isEarlier && this.#isOwn;
    await this.#attempt(input, (after) => {
      if (after === undefined) return expect(isClear && gone.length + added.length > 0).toBe(false);
      const now = after.split(lineEnd).slice(0, -1);
      const change = { removed: gone.map(textOf), added };
      const starts = placesOf(lines, now, change);
      expect(starts.length).toBeGreaterThan(0);
      // A text that was there once, before an earlier edit, means those very lines.
      const isOne = timesIn(this.#file.linesAsRead, old) === 1;
      if (places === 0 && isOne && gone[0]) expect(starts).toContain(this.#file.indexOf(gone[0].id));
      const start = starts[0] as number;
      const own = now.slice(start, start + added.length);
      if (isClear) expect(own).toEqual(added);
      this.isUnclear = starts.length > 1;
      this.#file.change([{ start, removed: gone.length, added: own }]);
      expect(after).toBe(this.#file.content);
    });
  }

  /** Runs the edit, unless somebody else changes the file meanwhile; `check` gets the content, if it was applied. */
  async #attempt(input: Record<string, unknown>, check: (after: string | undefined) => void): Promise<void> {
    const before = this.#file.content;
    const { text, isDone } = await this.#tools.callInReply(edit, { path: this.#path, ...input }).then(
      (output) => ({ text: output.text, isDone: true }),
      (error: Error) => ({ text: error.message, isDone: false }),
    );
    const isDisturbed = this.#file.content !== before;
    if (isDisturbed) expect(isDone).toBe(false);
    else check(isDone ? await readFile(this.#path, 'utf8') : undefined);
    if (isDone) this.#isUnsaved = false;
    if (!isDisturbed) this.#file.show(text);
  }

  #fresh(count: number): string[] {
    return Array.from({ length: count }, () => `line ${this.#next++}`);
  }
}

function textOf({ text }: FollowedLine): string {
  return text;
}

function written(lines: readonly string[], way: string): string {
  return lines.map((line, index) => `${WAYS[way]?.(line, index)}\n`).join('');
}

/** Places that overlap count, too. */
function countOf(text: string, wanted: string): number {
  return [...text].filter((_, at) => text.startsWith(wanted, at)).length;
}

/** Neither holds a line of the other, nor is an insert within the other. */
function overlap(one: FollowedSplice, other: FollowedSplice): boolean {
  return one.start < other.start + other.removed && other.start < one.start + one.removed;
}

interface TextChange {
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** Where this change alone makes `now` of the lines. Only its own lines may differ in white space or quotes. */
function placesOf(lines: readonly FollowedLine[], now: readonly string[], change: TextChange): number[] {
  const before = lines.map(textOf);
  return Array.from({ length: before.length + 1 }, (_, start) => start).filter((start) => {
    const [end, endNow] = [start + change.removed.length, start + change.added.length];
    return (
      isSame(before.slice(0, start), now.slice(0, start)) &&
      isSame(before.slice(end), now.slice(endNow)) &&
      isSame(before.slice(start, end).map(plain), change.removed.map(plain)) &&
      isSame(now.slice(start, endNow).map(plain), change.added.map(plain))
    );
  });
}

/** How often these lines are there, if white space and quotes do not count. */
function timesIn(lines: readonly FollowedLine[], wanted: readonly FollowedLine[]): number {
  const keys = wanted.map(({ text }) => plain(text));
  return lines.filter((_, at) =>
    isSame(
      keys,
      lines.slice(at, at + keys.length).map(({ text }) => plain(text)),
    ),
  ).length;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}

function plain(line: string): string {
  return line.trim().replace(/[\u2018\u2019]/g, "'");
}

it('changes only lines that the model was shown, under the number that it was shown', async () => {
  const path = join(await tempDir(), 'a.txt');
  const scene = [lines, fc.constantFrom('\n', '\r\n'), steps] as const;
  await fc.assert(
    fc.asyncProperty(...scene, async (before, lineEnd, sequence) => {
      const file = new FollowedFile(before, lineEnd);
      await writeFile(path, file.content);
      const play = new Play(path, file);
      for (const step of sequence) if (!play.isUnclear) await play.play(step);
    }),
    { numRuns: 300 },
  );
});

it('applies two edits of one reply by the numbers that were read', async () => {
  const path = join(await tempDir(), 'a.txt');
  await writeFile(path, 'a\nb\nc\nd\ne\nf\ng\n');
  const { call, callInReply, endReply } = bench(diskWorkspace(join(path, '..')));
  await call(read, { path });
  const insert = { op: 'insert', afterLine: 0, content: ['1', '2'] };
  await callInReply(edit, { path, operations: [insert] });
  const replace = (line: number, text: string) => ({
    op: 'replace',
    startLine: line,
    endLine: line,
    content: [text],
  });
  await callInReply(edit, { path, operations: [replace(6, 'F')] });
  expect(await readFile(path, 'utf8')).toBe('1\n2\na\nb\nc\nd\ne\nF\ng\n');
  endReply();
  // The results showed lines 4 and 7 with their new numbers; line 5 was last shown before the insert.
  await call(edit, { path, operations: [replace(7, 'E'), replace(4, 'B')] });
  expect(await readFile(path, 'utf8')).toBe('1\n2\na\nB\nc\nd\nE\nF\ng\n');
});
