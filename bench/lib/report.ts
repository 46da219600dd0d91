// A row of the table: Harness's value, a reference from the same run, and their ratio.
import { median } from './statistics.ts';

type Unit = 'ms' | 'µs' | 'kB' | 'MB' | 'files' | 'nodes' | 'tokens' | 'times' | '%' | '×';

export interface Row {
  readonly figure: string;
  readonly unit: Unit;
  readonly ours: number;
  /** The value that ours is compared with. */
  readonly reference: number;
  readonly ratio: number;
  /** The limit of the ratio. A row without one is only a report. */
  readonly limit?: number;
  readonly passed: boolean;
  /** The values of each run, to verify the medians. */
  readonly samples?: { readonly ours: readonly number[]; readonly reference: readonly number[] };
}

interface Given {
  readonly figure: string;
  readonly unit: Unit;
  readonly limit?: number;
}

/** Runs in pairs: the n-th of each list ran side by side. The ratio is the median of the pairs' ratios. */
export function rowOfPairs(given: Given, ours: readonly number[], reference: readonly number[]): Row {
  const ratios = ours.map((value, index) => value / (reference[index] ?? Number.NaN));
  const row = toRow(given, median(ours), median(reference), median(ratios));
  return { ...row, samples: { ours, reference } };
}

export function rowOf(given: Given, ours: number, reference: number): Row {
  return toRow(given, ours, reference, ours / reference);
}

function toRow(given: Given, ours: number, reference: number, ratio: number): Row {
  return { ...given, ours, reference, ratio, passed: given.limit === undefined || ratio <= given.limit };
}

export function formatTable(rows: readonly Row[]): string {
  const cells = [['figure', 'ours', 'reference', '', 'ratio', 'limit', ''], ...rows.map(toCells)];
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells.map((row) => formatLine(row, widths)).join('\n');
}

function toCells({ figure, ours, reference, unit, ratio, limit, passed }: Row): string[] {
  const verdict = passed ? 'ok' : 'OVER';
  const end = limit === undefined ? ['', ''] : [String(limit), verdict];
  return [figure, digits(ours), digits(reference), unit, digits(ratio), ...end];
}

/** Aligns names left and numbers right. */
function formatLine(row: readonly string[], widths: readonly number[]): string {
  const padded = row.map((cell, column) => {
    const width = widths[column] ?? 0;
    return column === 0 || column === 3 ? cell.padEnd(width) : cell.padStart(width);
  });
  return padded.join('  ').trimEnd();
}

/** Three significant digits; a dash if a reference of 0 makes the ratio undefined. */
function digits(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}
