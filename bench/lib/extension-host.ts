// Runs code inside the extension host of a real VS Code with the Harness and the bare extension.
import path from 'node:path';
import { build } from 'esbuild';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { isNoise } from '../../scripts/lib/vscode/noise.mjs';
import { type RunningVsCode, testUrl } from '../../scripts/lib/vscode/server.mjs';
import type { Bench } from './bench.ts';

const LIMIT_MS = 10 * 60_000;
const RESULT = 'BENCH-RESULT ';
const FAILURE = 'BENCH-FAILURE ';
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

/** A call of a function that a file of bench/host exports. The arguments must be JSON. */
export interface HostCall {
  readonly file: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** A page without history. Loading VS Code into it therefore opens a window with a new extension host. */
export async function withPage<Result>(
  browser: Browser,
  work: (page: Page) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(desktop);
  try {
    return await work(await context.newPage());
  } finally {
    await context.close();
  }
}

/**
 * Loads VS Code into the page, and resolves with the function's result in its extension host. The window
 * stays open.
 */
export async function callInHost<Result>(
  bench: Bench,
  vscode: RunningVsCode,
  page: Page,
  call: HostCall,
): Promise<Result> {
  const result = nextResult(page);
  await page.goto(testUrl(vscode, bench.extensions, await bundleCall(bench, call)));
  // The function's result, as written to the file.
  return JSON.parse(await result) as Result;
}

async function nextResult(page: Page): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const errors: string[] = [];
  const fail = (reason: string) => reject(new Error(`${reason}\n${errors.join('\n')}`));
  const timer = setTimeout(() => fail('Nothing came from the extension host.'), LIMIT_MS);
  await page.exposeFunction('codeAutomationExit', (code: unknown) => fail(`VS Code ended with ${code}.`));
  await page.exposeFunction('codeAutomationLog', (type: string, [line]: unknown[]) => {
    const text = String(line);
    if (text.startsWith(RESULT)) resolve(text.slice(RESULT.length));
    else if (text.startsWith(FAILURE)) fail(text.slice(FAILURE.length));
    else if (type === 'error' && !isNoise(text)) errors.push(text);
  });
  return promise.finally(() => clearTimeout(timer));
}

let bundled = 0;

/** The module's `run` never resolves, because VS Code would then exit. */
async function bundleCall(bench: Bench, { file, name, args }: HostCall): Promise<string> {
  const contents = `
    import { ${name} } from './${file}';
    export const run = () => new Promise(() => {
      ${name}(...${JSON.stringify(args)}).then(
        (result) => console.log(${JSON.stringify(RESULT)} + JSON.stringify(result)),
        (error) => console.log(${JSON.stringify(FAILURE)} + error.stack),
      );
    });`;
  bundled += 1;
  const outfile = path.join(bench.folder, `host-${bundled}.cjs`);
  const stdin = { contents, resolveDir: inRepository('bench', 'host') };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', external: ['vscode'] });
  return outfile;
}
