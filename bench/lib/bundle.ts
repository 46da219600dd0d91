import { type BuildOptions, build, type Plugin } from 'esbuild';

interface Options {
  /** Modules that become a load of their own output, as their extension does: `./loop.ts` of `./loop.cjs`. */
  readonly lazy?: readonly string[];
}

/** `import()` becomes `require()`: both files are CommonJS. */
const hosted: BuildOptions = {
  format: 'cjs',
  external: ['vscode'],
  supported: { 'dynamic-import': false },
};
/** The SDK asks for Node's own modules by `require`. */
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
