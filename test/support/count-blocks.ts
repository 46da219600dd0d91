import { Session } from 'node:inspector/promises';
import { setFlagsFromString } from 'node:v8';

/**
 * Gives what counts the blocks of JavaScript that `act` enters in our sources under `folder`: functions, branches and the
 * turns of loops. V8 counts in what it compiles from now on, so nothing of these sources may have run before.
 */
export async function openBlockCounter(folder: string): Promise<(act: () => void) => Promise<number>> {
  // Optimised code does not count.
  for (const flag of ['--no-turbofan', '--no-maglev', '--no-sparkplug']) setFlagsFromString(flag);
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  const take = async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ url }) => url.includes(`/${folder}/`))
      .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
      .reduce((total, { count }) => total + count, 0);
  };
  return async (act) => {
    await take();
    act();
    return take();
  };
}
