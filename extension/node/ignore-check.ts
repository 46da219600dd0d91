import { dirname } from 'node:path';
import { isIgnored, rulesAbove } from './ignore-rules.ts';

/** Whether the ignore files name a path. Those of each directory are read once. */
export function createIgnoreCheck(): (path: string) => Promise<boolean> {
  const known = new Map<string, ReturnType<typeof rulesAbove>>();
  return async (path) => {
    const directory = dirname(path);
    const rules = known.get(directory) ?? rulesAbove(path);
    known.set(directory, rules);
    return isIgnored(await rules, path, false);
  };
}
