export function median(values: readonly number[]): number {
  const ascending = [...values].sort((a, b) => a - b);
  const middle = Math.floor(ascending.length / 2);
  const upper = ascending[middle] ?? Number.NaN;
  return ascending.length % 2 === 1 ? upper : (upper + (ascending[middle - 1] ?? Number.NaN)) / 2;
}
