// Builds the command line for the tests in a separate folder, so that a build of dist/ cannot interfere.
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { modified, newestOf } from './file-times.mjs';
import { withLock } from './lock.mjs';
import { runCommand } from './logged-process.mjs';
import { inRepository, pinnedNode, repository } from './paths.mjs';

const folder = inRepository('out', 'cli');
const built = inRepository('out', 'cli', 'built');
const sources = ['extension', 'esbuild.mjs', 'package.json', 'package-lock.json'];

export const cliFile = inRepository('out', 'cli', 'cli.js');

/** Builds it if a source is newer. Of several concurrent callers, one builds and the others wait. */
export async function buildCliIfStale() {
  if (isFresh()) return;
  await withLock(inRepository('out', 'cli.lock'), async () => {
    if (isFresh()) return;
    const begun = new Date();
    const command = ['esbuild.mjs', 'node', `--into=${folder}`];
    await runCommand('Building the command line', pinnedNode, command, { cwd: repository });
    await mkdir(folder, { recursive: true });
    await writeFile(built, '');
    // A file that changes during the build is newer.
    await utimes(built, begun, begun);
  });
}

const isFresh = () => newestOf(sources) < modified(built);
