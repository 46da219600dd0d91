/**
 * A sequence of heights. Finding and updating their sums takes logarithmic time. P. M. Fenwick, A New Data
 * Structure for Cumulative Frequency Tables (1994).
 */
export class HeightSums {
  readonly #heights: number[] = [];
  /**
   * From index 1. The lowest set bit of an index is the number of heights, up to and including its own, in
   * its sum.
   */
  readonly #tree: number[] = [0];

  get length(): number {
    return this.#heights.length;
  }

  at(index: number): number {
    return this.#heights[index] ?? 0;
  }

  push(height: number): void {
    this.#heights.push(height);
    const node = this.#heights.length;
    let sum = height;
    for (let step = 1; step < lowestBit(node); step *= 2) sum += this.#tree[node - step] ?? 0;
    this.#tree.push(sum);
  }

  set(index: number, height: number): void {
    const change = height - this.at(index);
    if (index >= this.length || change === 0) return;
    this.#heights[index] = height;
    for (let node = index + 1; node <= this.length; node += lowestBit(node))
      this.#tree[node] = (this.#tree[node] ?? 0) + change;
  }

  /** The sum of all heights before `index`. */
  before(index: number): number {
    let sum = 0;
    for (let node = Math.min(index, this.length); node > 0; node -= lowestBit(node))
      sum += this.#tree[node] ?? 0;
    return sum;
  }

  /** The largest number of heights whose sum is less than `place`. */
  countBefore(place: number): number {
    let count = 0;
    let left = place;
    for (let step = 2 ** Math.ceil(Math.log2(this.length + 1)); step >= 1; step /= 2) {
      const sum = this.#tree[count + step] ?? Number.POSITIVE_INFINITY;
      if (sum >= left) continue;
      count += step;
      left -= sum;
    }
    return count;
  }
}

function lowestBit(node: number): number {
  return node & -node;
}
