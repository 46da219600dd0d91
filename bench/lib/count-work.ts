/** The unprompted work of the panel's page. */
export interface Work {
  /** Timers that fired, and idle callbacks. */
  timers: number;
  /** Requested animation frames. */
  frames: number;
  /** Messages to the host and from it. */
  messages: number;
  /** CSS animations that run on the clock. */
  animations: number;
}

/** Runs in every frame before its scripts, and counts in `benchWork` what the panel's script requests. */
export function countWork(): void {
  const OURS = '/dist/webview/';
  const work: Work = { timers: 0, frames: 0, messages: 0, animations: 0 };
  Object.assign(globalThis, { benchWork: work });
  Error.stackTraceLimit = 50;
  const isOurs = () => new Error().stack?.includes(OURS) ?? false;
  type Anything = (...args: unknown[]) => unknown;
  const replace = (name: string, wrap: (original: Anything) => Anything) => {
    const original: unknown = Reflect.get(window, name);
    if (typeof original === 'function') Reflect.set(window, name, wrap(original.bind(window)));
  };
  const counting = (callback: unknown, kind: keyof Work): Anything => {
    return (...args) => {
      work[kind] += 1;
      return typeof callback === 'function' && callback(...args);
    };
  };

  for (const name of ['setTimeout', 'setInterval', 'requestIdleCallback'])
    replace(
      name,
      (original) =>
        (callback, ...rest) =>
          original(isOurs() ? counting(callback, 'timers') : callback, ...rest),
    );
  replace('requestAnimationFrame', (original) => (callback) => {
    if (isOurs()) work.frames += 1;
    return original(callback);
  });
  replace('addEventListener', (original) => (type, listener, ...rest) => {
    const isHeard = type === 'message' && isOurs();
    return original(type, isHeard ? counting(listener, 'messages') : listener, ...rest);
  });
  // VS Code defines it before the panel's script runs. A state that the page saves counts as a message.
  let acquire: unknown;
  Object.defineProperty(window, 'acquireVsCodeApi', {
    configurable: true,
    set: (given: unknown) => {
      acquire = given;
    },
    get: () =>
      typeof acquire === 'function' &&
      (() => {
        const api: Record<string, unknown> = (acquire as Anything)() as Record<string, unknown>;
        const { postMessage, setState } = api;
        return {
          ...api,
          postMessage: counting(postMessage, 'messages'),
          setState: counting(setState, 'messages'),
        };
      }),
  });
}
