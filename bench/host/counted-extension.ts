// Wraps a copy of the Harness extension: counts the timers that its code sets and that fire.
import { createRequire, syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promised from 'node:timers/promises';

const counts = { timers: 0 };
Object.assign(globalThis, { benchTimers: counts });
Error.stackTraceLimit = 50;

type Timer = (callback: unknown, ...rest: unknown[]) => unknown;

/**
 * Whether one of the extension's own files set the timer. The wrapper is in the same folder, so it is
 * excluded.
 */
function isOurs(): boolean {
  const lines = (new Error().stack ?? '').split('\n');
  return lines.some((line) => line.includes(__dirname) && !line.includes(__filename));
}

function counting(original: Timer): Timer {
  const wrapped: Timer = (callback, ...rest) => {
    if (!isOurs() || typeof callback !== 'function') return original(callback, ...rest);
    return original(
      (...args: unknown[]) => {
        counts.timers += 1;
        callback(...args);
      },
      ...rest,
    );
  };
  // Node keeps the promise form of setTimeout in a property.
  return Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
}

for (const name of ['setTimeout', 'setInterval', 'setImmediate'] as const) {
  const wrapped = counting(globalThis[name] as Timer);
  Object.assign(globalThis, { [name]: wrapped });
  Object.assign(timers, { [name]: wrapped });
}
for (const name of ['setTimeout', 'setImmediate'] as const) {
  const original = promised[name] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(promised, {
    [name]: async (...args: unknown[]) => {
      const isCounted = isOurs();
      const result = await original(...args);
      if (isCounted) counts.timers += 1;
      return result;
    },
  });
}

// Named imports of ES modules change only after this call.
syncBuiltinESMExports();

type Extension = Record<'activate' | 'deactivate', unknown>;
// The shipped build is beside this file.
export const { activate, deactivate } = createRequire(__filename)('./extension.cjs') as Extension;
