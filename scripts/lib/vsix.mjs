// Builds the extension, packages it and checks its size limits.
import { readFileSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { modified, newestOf } from './file-times.mjs';
import { withLock } from './lock.mjs';
import { runCommand } from './logged-process.mjs';
import { writeNotices } from './notices.mjs';
import { inRepository, pinnedNode, repository, vsixFile } from './paths.mjs';
import { zipEntries } from './zip-entries.mjs';

/** The sources of the package. A missing one does not trigger packaging. */
const sources = [
  'extension',
  'webview',
  'media',
  'esbuild.mjs',
  'l10n',
  'package.json',
  'package.nls.json',
  'package.nls.de.json',
  'package-lock.json',
  '.vscodeignore',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
];

/** @typedef {{ what: string, value: number, limit: number, unit: 'kB' | 'files' }} Measure `value` must stay below `limit` */

/**
 * Packages the extension. A concurrent reader sees the old or the new package, never a part of one.
 * @returns {Promise<Measure[]>}
 */
export async function packageExtension() {
  return await withLock(inRepository('out', 'package.lock'), async () => {
    const unfinished = inRepository('out', 'harness.vsix');
    await runCommand('Building the extension', pinnedNode, ['esbuild.mjs'], { cwd: repository });
    await writeNotices();
    const output = await runCommand('Packaging the extension', pinnedNode, vsceArguments(unfinished), {
      cwd: repository,
    });
    for (const line of output.split('\n')) if (line.includes('WARN')) console.log(line.trim());
    await rename(unfinished, vsixFile);
    return measures();
  });
}

/** Packages if a source is newer than the package. */
export async function packageIfStale() {
  if (newestOf(sources) < modified(vsixFile)) return;
  console.log('Packaging the extension …');
  await packageExtension();
}

/** @returns {Promise<string>} the package of the extension that opens the panel for `npm start` */
export async function packageOpener() {
  const folder = inRepository('scripts', 'start', 'opener');
  const file = inRepository('out', 'opener.vsix');
  await runCommand('Packaging the opener', pinnedNode, vsceArguments(file, folder), { cwd: folder });
  return file;
}

/**
 * @param {string} out
 * @param {string} [folder] of the extension
 */
function vsceArguments(out, folder = repository) {
  const { repository: address } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
  const vsce = [
    inRepository('node_modules', '@vscode', 'vsce', 'vsce'),
    'package',
    '--no-dependencies',
    '--out',
    out,
  ];
  // Without the address of the repository, vsce cannot make the README's links absolute and would refuse.
  return address ? vsce : [...vsce, '--allow-missing-repository', '--no-rewrite-relative-links'];
}

/** @returns {Measure[]} */
function measures() {
  const entries = zipEntries(vsixFile);
  return [
    { what: 'vsix', value: statSync(vsixFile).size / 1000, limit: 2000, unit: 'kB' },
    {
      what: 'files in it, chunks aside',
      value: entries.filter((name) => !name.includes('/chunks/')).length,
      limit: 40,
      unit: 'files',
    },
    {
      what: 'maps and packages in it',
      value: entries.filter((name) => /\.(map|vsix)$/.test(name)).length,
      limit: 1,
      unit: 'files',
    },
  ];
}
