import type { Effort } from '../../ports/model.ts';
import type { Think } from './model-facts.ts';

/** Levels by their names, in order. */
const LEVELS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The value of `think` for a measure of thinking; undefined where the field is to be left out. `values` are those that
 * the model takes, as far as they are known.
 */
export function thinkFor(
  effort: Effort | undefined,
  values: readonly Think[] | undefined,
): Think | undefined {
  if (effort === undefined) return undefined;
  if (!values) return effort === 'none' ? undefined : true;
  if (values.length === 0) return undefined;
  if (effort === 'none' && values.includes(false)) return false;
  const levels = values.filter((value) => typeof value === 'string');
  if (levels.length === 0) return values.includes(true) ? true : undefined;
  return levels.reduce((best, level) => (distance(level, effort) < distance(best, effort) ? level : best));
}

function distance(level: string, effort: Effort): number {
  const at = LEVELS.indexOf(level);
  return at < 0 ? Number.POSITIVE_INFINITY : Math.abs(at - LEVELS.indexOf(effort));
}
