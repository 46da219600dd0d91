import { isIgnored, type KnownRules, rulesAbove } from './ignore-rules.ts';

/** Whether the ignore files name a path. Those of each directory are read once. */
export function createIgnoreCheck(): (path: string) => Promise<boolean> {
  const known: KnownRules = new Map();
  return async (path) => isIgnored(await rulesAbove(path, known), path, false);
}
