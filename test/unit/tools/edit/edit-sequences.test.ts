// No sequence of edits, in one reply or several, with other writers between, changes a line that the model was not shown.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { edit } from '../../../../extension/core/tools/edit/edit.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { tempDir } from '../../../support/temp-dir.ts';
import { bench, diskWorkspace } from '../call-tool.ts';

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('read' as const), at: fc.nat(20), count: fc.nat(8) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('lines' as const),
      at: fc.nat(22),
      count: fc.nat(3),
      added: fc.nat(3),
      op: fc.constantFrom('replace', 'insert', 'delete'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('text' as const),
      at: fc.nat(22),
      count: fc.nat(3),
      added: fc.nat(3),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('user' as const),
      at: fc.nat(20),
      count: fc.nat(3),
      added: fc.nat(3),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('endReply' as const) }) },
);

it('changes only lines that the model was shown, under the number that it was shown', async () => {
  const path = join(await tempDir(), 'a.txt');
  let next = 0;
  const fresh = (count: number) => Array.from({ length: count }, () => `line ${next++}`);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 18 }),
      fc.array(step, { maxLength: 20 }),
      async (count, steps) => {
        const tools = bench(diskWorkspace(join(path, '..')));
        const write = (lines: readonly string[]) =>
          writeFile(path, lines.map((line) => `${line}\n`).join(''));
        const content = async () => (await readFile(path, 'utf8')).split('\n').slice(0, -1);
        await write(fresh(count));
        /** What the model has read under each number, and what it will have read after this reply. */
        const known = new Map<number, string>();
        let unread = new Map<number, string>();
        const shownIn = (text: string) => {
          for (const [, number, line] of text.matchAll(/^\s*(\d+)→(.*)$/gm))
            unread.set(Number(number), line as string);
        };
        const attempt = async (input: Record<string, unknown>) => {
          try {
            shownIn((await tools.callInReply(edit, { path, ...input })).text);
            return true;
          } catch (error) {
            shownIn((error as Error).message);
            return false;
          }
        };
        for (const each of steps) {
          const before = await content();
          if (each.kind === 'endReply') {
            tools.endReply();
            for (const [number, line] of unread) known.set(number, line);
            unread = new Map();
          } else if (each.kind === 'user') {
            await write(before.toSpliced(each.at % (before.length + 1), each.count, ...fresh(each.added)));
          } else if (each.kind === 'read') {
            const start_line = (each.at % Math.max(before.length, 1)) + 1;
            const input = { path, start_line, end_line: start_line + each.count };
            shownIn(
              await tools.callInReply(read, input).then(
                ({ text }) => text,
                () => '',
              ),
            );
          } else if (each.kind === 'text') {
            const old = before.slice(each.at % (before.length + 1)).slice(0, each.count + 1);
            if (old.length === 0) continue;
            const added = fresh(each.added);
            const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('');
            expect(await attempt({ old_string: text(old), new_string: text(added) })).toBe(true);
            const at = before.indexOf(old[0] as string);
            expect(await content()).toEqual(before.toSpliced(at, old.length, ...added));
          } else {
            const startLine = each.at + 1;
            const endLine = startLine + each.count;
            const added = fresh(each.added + 1);
            const isInsert = each.op === 'insert';
            const operation = isInsert
              ? { op: each.op, afterLine: startLine, content: added }
              : { op: each.op, startLine, endLine, ...(each.op === 'replace' && { content: added }) };
            const done = await attempt({ operations: [operation] });
            const after = await content();
            if (!done) {
              expect(after).toEqual(before);
              continue;
            }
            const meant = [];
            for (let number = startLine; number <= (isInsert ? startLine : endLine); number += 1)
              meant.push(known.get(number));
            const at = before.indexOf(meant[0] as string);
            expect(at).toBeGreaterThanOrEqual(0);
            expect(before.slice(at, at + meant.length)).toEqual(meant);
            const expected = isInsert
              ? before.toSpliced(at + 1, 0, ...added)
              : before.toSpliced(at, meant.length, ...(each.op === 'replace' ? added : []));
            expect(after).toEqual(expected);
          }
        }
      },
    ),
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
