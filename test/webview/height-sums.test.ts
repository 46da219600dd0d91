import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HeightSums } from '../../webview/views/scrolling/height-sums.ts';

const height = fc.integer({ min: 0, max: 50 });
const change = fc.oneof(fc.record({ push: height }), fc.record({ at: fc.nat({ max: 20 }), height }));

test('sums and places are those of a plain list', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.integer({ min: -5, max: 900 }), (changes, place) => {
      const sums = new HeightSums();
      const plain: number[] = [];
      for (const next of changes) {
        if ('push' in next) {
          sums.push(next.push);
          plain.push(next.push);
        } else {
          sums.set(next.at, next.height);
          if (next.at < plain.length) plain[next.at] = next.height;
        }
      }
      const before = [0];
      for (const next of plain) before.push((before.at(-1) ?? 0) + next);
      expect(before.map((_, index) => sums.before(index))).toEqual(before);
      expect(sums.length).toBe(plain.length);
      expect(sums.countBefore(place)).toBe(
        Math.max(
          0,
          before.findLastIndex((sum) => sum < place),
        ),
      );
    }),
  );
});
