// Work inside the extension host of a real VS Code, with both extensions loaded from their folders.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { build } from 'esbuild';
import { inRepository } from '../../scripts/lib/paths.mjs';
import { isNoise } from '../../test/support/vscode/noise.mjs';
import { type RunningVsCode, testUrl } from '../../test/support/vscode/server.mjs';
import type { Bench } from './bench.ts';

const LIMIT_MS = 10 * 60_000;

/** A call of a function that a file of bench/host exports, with arguments that are JSON. */
export interface HostCall {
  readonly file: string;
  readonly name: string;
  readonly args: readonly unknown[];
}

let calls = 0;

/** Opens a window of its own and gives what the function resolves with in its extension host. */
export async function callInHost<Result>(
  bench: Bench,
  vscode: RunningVsCode,
  browser: Browser,
  call: HostCall,
): Promise<Result> {
  calls += 1;
  const output = path.join(bench.folder, `host-${calls}.json`);
  const module = await bundleCall(call, output, path.join(bench.folder, `host-${calls}.cjs`));
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const errors: string[] = [];
    const code = await runModule(await context.newPage(), testUrl(vscode, bench.extensions, module), errors);
    if (code !== 0) throw new Error(`VS Code ended with ${code}.\n${errors.join('\n')}`);
    // The function's result, as it was written down.
    return JSON.parse(await readFile(output, 'utf8')) as Result;
  } finally {
    await context.close();
  }
}

async function runModule(page: Page, url: string, errors: string[]): Promise<unknown> {
  const exited = Promise.withResolvers<unknown>();
  const timer = setTimeout(() => exited.resolve('no exit code'), LIMIT_MS);
  await page.exposeFunction('codeAutomationExit', exited.resolve);
  await page.exposeFunction('codeAutomationLog', (type: string, args: unknown[]) => {
    const line = args.join(' ');
    if (type === 'error' && !isNoise(line)) errors.push(line);
  });
  await page.goto(url);
  const code = await exited.promise;
  clearTimeout(timer);
  return code;
}

async function bundleCall({ file, name, args }: HostCall, output: string, outfile: string): Promise<string> {
  const contents = `
    import { writeFile } from 'node:fs/promises';
    import { ${name} } from './${file}';
    export const run = async () =>
      writeFile(${JSON.stringify(output)}, JSON.stringify(await ${name}(...${JSON.stringify(args)})));`;
  const stdin = { contents, resolveDir: inRepository('bench', 'host') };
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'cjs', external: ['vscode'] });
  return outfile;
}
