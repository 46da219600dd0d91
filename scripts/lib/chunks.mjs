// What esbuild's code splitting leaves to do.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Removes imports of chunks that hold esbuild's own helpers alone, where none of them is used. esbuild 0.28 leaves such an
 * import in each file that loads other files later. In the panel it costs a round trip before the first picture.
 * @param {string} root the working directory of the build
 * @param {import('esbuild').Metafile} metafile of a minified build
 */
export async function dropIdleImports(root, { outputs }) {
  const helpers = Object.entries(outputs).filter(([, { inputs }]) => Object.keys(inputs).length === 0);
  for (const [path, { imports }] of Object.entries(outputs)) {
    const idle = helpers.filter(([helper]) => imports.some((one) => one.path === helper));
    if (idle.length > 0)
      await dropFrom(
        join(root, path),
        idle.map(([helper]) => basename(helper)),
      );
  }
}

/**
 * @param {string} file
 * @param {readonly string[]} helpers
 */
async function dropFrom(file, helpers) {
  const text = await readFile(file, 'utf8');
  const rest = text.replace(/^import"([^"]*)";/, (all, path) =>
    helpers.includes(basename(path)) ? '' : all,
  );
  if (rest !== text) await writeFile(file, rest);
}

/**
 * A chunk has another name as soon as it has another content.
 * @param {string} folder of the chunks
 * @param {readonly string[]} written paths of the current ones, among others
 */
export async function removeOldChunks(folder, written) {
  const names = await readdir(folder).catch(() => []);
  const old = names.map((name) => join(folder, name)).filter((file) => !written.includes(file));
  await Promise.all(old.map((file) => rm(file)));
}
