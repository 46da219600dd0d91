// What the build makes, from esbuild's own account of it.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { Metafile } from 'esbuild';
import { afterAll } from 'vitest';
import { ROOT } from './imports.ts';

export interface Shipped {
  /** The written files, below dist/. */
  readonly files: readonly string[];
  /** The sources in what is loaded at once with the entry or the late module `source`, itself among them. */
  loadedWith(source: string): readonly string[];
  /** The sources that are loaded with `import()`. */
  readonly late: readonly string[];
}

/** Builds one of esbuild.mjs's outputs into a folder that is removed after the tests. */
export async function buildShipped(name: 'node' | 'webview'): Promise<Shipped> {
  const folder = await mkdtemp(join(tmpdir(), 'harness-shipped-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  await promisify(execFile)(process.execPath, ['esbuild.mjs', name, `--into=${folder}`], { cwd: ROOT });
  const metafile: Metafile = JSON.parse(await readFile(join(folder, 'meta', `${name}.json`), 'utf8'));
  const { outputs } = metafile;
  const places = new Map(Object.entries(outputs).map(([place, { entryPoint }]) => [entryPoint, place]));
  return {
    files: Object.keys(outputs).map((place) =>
      place.slice(place.indexOf(basename(folder)) + basename(folder).length + 1),
    ),
    loadedWith: (source) => {
      const place = places.get(source);
      if (place === undefined) throw new Error(`${source} is no entry of the build.`);
      return [...loadedAtOnce(outputs, place)].flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    },
    late: Object.values(outputs)
      .flatMap(({ imports }) => imports.filter(({ kind }) => kind === 'dynamic-import'))
      .map(({ path }) => outputs[path]?.entryPoint ?? path),
  };
}

/** The output and what it imports, that of those, and so on. */
function loadedAtOnce(outputs: Metafile['outputs'], place: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(place)) return loaded;
  loaded.add(place);
  for (const { kind, path, external } of outputs[place]?.imports ?? [])
    if (kind !== 'dynamic-import' && !external) loadedAtOnce(outputs, path, loaded);
  return loaded;
}
