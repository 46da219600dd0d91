import type { Theme } from './themes.ts';

/**
 * Runs in the page before its own scripts: VS Code's half of it. What the page posts goes to `postToHost`, what it keeps to
 * `keepState`, violations of its security policy to `reportProblem`, as far as somebody has exposed these.
 */
export function playVsCode({ theme, saved }: { theme: Theme; saved: unknown }): void {
  const page = globalThis as typeof globalThis & Record<string, (argument: unknown) => void>;
  const kept = sessionStorage.getItem('state');
  let state: unknown = kept === null ? saved : JSON.parse(kept);
  Object.assign(globalThis, {
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => page.postToHost?.(message),
      getState: () => state,
      setState: (next: unknown) => {
        state = next;
        sessionStorage.setItem('state', JSON.stringify(next));
        page.keepState?.(next);
      },
    }),
  });
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) =>
    page.reportProblem?.(`${violatedDirective} ${blockedURI} ${sourceFile}`),
  );
  document.addEventListener('DOMContentLoaded', () => {
    document.body.className = theme.bodyClass;
    for (const [name, value] of Object.entries(theme.variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
  });
}
