import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LineSplice, LineView } from '../../../extension/core/rendering/line-view.ts';

/** The reference: a file as a list of line identities, and the identity that the model saw under each number. */
class Model {
  lines: number[];
  read = new Map<number, number>();
  unread: (readonly [number, number])[] = [];
  #next: number;

  constructor(count: number) {
    this.lines = Array.from({ length: count }, (_, index) => index);
    this.#next = count;
  }

  show(first: number, last: number): void {
    for (let number = first; number <= last; number += 1)
      this.unread.push([number, this.lines[number - 1] as number]);
  }

  endReply(): void {
    for (const [number, id] of this.unread) this.read.set(number, id);
    this.unread = [];
  }

  splice({ start, end, added }: LineSplice): void {
    const ids = Array.from({ length: added }, () => this.#next++);
    this.lines.splice(start - 1, end - start, ...ids);
  }

  /** The current line numbers of these numbers, if they are adjacent. */
  current(first: number, last: number): number | undefined {
    const now = [];
    for (let number = first; number <= last; number += 1) {
      const id = this.read.get(number);
      now.push(id === undefined ? 0 : this.lines.indexOf(id) + 1);
    }
    const start = now[0] as number;
    return start > 0 && now.every((line, index) => line === start + index) ? start : undefined;
  }
}

const step = fc.oneof(
  fc.record({
    kind: fc.constant('show' as const),
    first: fc.nat(30),
    count: fc.integer({ min: 1, max: 12 }),
  }),
  fc.record({ kind: fc.constant('splice' as const), at: fc.nat(30), removed: fc.nat(3), added: fc.nat(3) }),
  fc.record({ kind: fc.constant('endReply' as const) }),
  fc.record({ kind: fc.constant('reopen' as const) }),
);

test('a number means the line that the model saw last under it, whatever came between', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 30 }), fc.array(step, { maxLength: 25 }), (count, steps) => {
      const model = new Model(count);
      let view = LineView.empty;
      for (const each of steps) {
        const length = model.lines.length;
        if (each.kind === 'endReply' || each.kind === 'reopen') {
          model.endReply();
          view = each.kind === 'reopen' ? LineView.fromNumbers(view.toNumbers()) : view.afterRequest();
        } else if (each.kind === 'show') {
          const first = Math.min(each.first + 1, length);
          const last = Math.min(first + each.count - 1, length);
          if (first < 1) continue;
          model.show(first, last);
          view = view.withShown({ first, last });
        } else {
          const start = Math.min(each.at, length) + 1;
          const splice = { start, end: Math.min(start + each.removed, length + 1), added: each.added };
          model.splice(splice);
          view = view.afterSplices([splice]);
        }
      }
      for (let first = 1; first <= 35; first += 1)
        for (let last = first; last <= first + 4; last += 1)
          expect(view.currentLines({ first, last })?.first).toBe(model.current(first, last));
    }),
    { numRuns: 500 },
  );
});

test('several splices at once count in the lines before all of them', () => {
  const view = LineView.whole(10).afterSplices([
    { start: 2, end: 3, added: 3 },
    { start: 5, end: 5, added: 1 },
    { start: 9, end: 11, added: 0 },
  ]);
  expect(view.currentLines({ first: 1, last: 1 })).toEqual({ first: 1, last: 1 });
  expect(view.currentLines({ first: 3, last: 4 })).toEqual({ first: 5, last: 6 });
  expect(view.currentLines({ first: 4, last: 5 })).toBeUndefined();
  expect(view.currentLines({ first: 5, last: 8 })).toEqual({ first: 8, last: 11 });
  expect(view.currentLines({ first: 2, last: 2 })).toBeUndefined();
  expect(view.currentLines({ first: 9, last: 9 })).toBeUndefined();
});
