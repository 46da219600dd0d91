import { type BuildOptions, build, type Plugin } from 'esbuild';

interface Options {
  /**
   * Modules that the output loads from a file of their own, like the extension does: `./loop.ts` from
   * `./loop.cjs`.
   */
  readonly lazy?: readonly string[];
}

/** `import()` becomes `require()`, because both files are CommonJS. */
const hosted: BuildOptions = {
  format: 'cjs',
  external: ['vscode'],
  supported: { 'dynamic-import': false },
};
/** The SDK loads Node's modules with `require`. */
const module: BuildOptions = {
  format: 'esm',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
};

/** One file, minified: CommonJS for an extension host (`.cjs`), or a module for Node (`.mjs`). */
export async function bundle(entry: string, outfile: string, { lazy = [] }: Options = {}): Promise<string> {
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    ...(outfile.endsWith('.cjs') ? hosted : module),
    target: 'node22',
    logLevel: 'warning',
    plugins: [lazyLoads(lazy)],
  });
  return outfile;
}

function lazyLoads(specifiers: readonly string[]): Plugin {
  return {
    name: 'lazy-loads',
    setup({ onResolve }) {
      onResolve({ filter: /\.ts$/ }, ({ path, kind }) =>
        kind === 'dynamic-import' && specifiers.includes(path)
          ? { path: path.replace(/\.ts$/, '.cjs'), external: true }
          : undefined,
      );
    },
  };
}
