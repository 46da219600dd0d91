import { join } from 'node:path';
import { build } from 'esbuild';

/** Puts a program of this folder into `folder` as one file, so that its process is there at once. Resolves with its path. */
export async function bundleTo(folder: string, program: string): Promise<string> {
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, program)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    loader: { '.md': 'text' },
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return outfile;
}
