import { Session } from 'node:inspector/promises';

/**
 * What is not counted: the getter that vitest puts around each export, and async functions. V8 counts an async function once
 * more each time it goes on after an `await`.
 */
const UNCOUNTED = /^(?:\(\) => \{ try \{ return |(?:static )?async )/;

/** Counts the calls of the product's functions, exactly. Each call of what it returns gives the calls since the call before. */
export async function openCallCounter(): Promise<() => Promise<number>> {
  const session = new Session();
  session.connect();
  await session.post('Debugger.enable');
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const callsIn = async (script: CoveredScript) => {
    const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId: script.scriptId });
    return script.functions
      .flatMap(({ ranges: [range] }) => range ?? [])
      .filter(({ startOffset, endOffset }) => !UNCOUNTED.test(scriptSource.slice(startOffset, endOffset)))
      .reduce((total, { count }) => total + count, 0);
  };
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ours = result.filter(({ url }) => url.includes('/extension/') && !url.includes('/testing/'));
    const calls = await Promise.all(ours.map(callsIn));
    return calls.reduce((total, count) => total + count, 0);
  };
}

interface CoveredScript {
  readonly scriptId: string;
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}
