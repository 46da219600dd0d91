// Collects the licenses of the bundled packages, from esbuild's metadata.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { inRepository } from './paths.mjs';

/**
 * Writes dist/THIRD-PARTY-NOTICES.txt. Fails for a package without a license text, because it must not be
 * shipped.
 */
export async function writeNotices() {
  const names = await bundledPackages();
  const notices = await Promise.all(names.map(noticeOf));
  const head = 'Harness contains the following packages.\n\n';
  await writeFile(
    inRepository('dist', 'THIRD-PARTY-NOTICES.txt'),
    head + notices.join(`\n${'-'.repeat(80)}\n\n`),
  );
}

/** @returns {Promise<string[]>} packages of which at least one byte is in a bundle, sorted */
async function bundledPackages() {
  const folder = inRepository('out', 'meta');
  const names = new Set();
  for (const file of await readdir(folder)) {
    const { outputs } = JSON.parse(await readFile(`${folder}/${file}`, 'utf8'));
    for (const { inputs } of Object.values(outputs)) {
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1];
        if (name && bytesInOutput > 0) names.add(name);
      }
    }
  }
  return [...names].sort();
}

/** @param {string} name */
async function noticeOf(name) {
  const folder = inRepository('node_modules', ...name.split('/'));
  const { version, license, author } = JSON.parse(await readFile(`${folder}/package.json`, 'utf8'));
  const file = (await readdir(folder)).find((entry) => /^(licen[cs]e|copying)/i.test(entry));
  const text = file
    ? await readFile(`${folder}/${file}`, 'utf8')
    : await mitText(license, author?.name ?? author);
  if (!text) throw new Error(`${name} ${version} (${license}) has no license text; it may not be bundled.`);
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/**
 * Some packages name the MIT license without its text. Ours is the same text, except for the holder.
 * @param {string} license
 * @param {string | undefined} holder
 */
async function mitText(license, holder) {
  if (license !== 'MIT' || !holder) return undefined;
  const ours = await readFile(inRepository('LICENSE'), 'utf8');
  return ours.replace(/^Copyright .*$/m, `Copyright (c) ${holder}`);
}
