// The command line as the tests run it, in a folder of its own: whoever builds dist/ meanwhile is not in its way.
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { modified, newestOf } from './file-times.mjs';
import { withLock } from './lock.mjs';
import { runCommand } from './logged-process.mjs';
import { inRepository, pinnedNode, repository } from './paths.mjs';

const folder = inRepository('out', 'cli');
const built = inRepository('out', 'cli', 'built');
const sources = ['extension', 'esbuild.mjs', 'package.json', 'package-lock.json'];

export const cliFile = inRepository('out', 'cli', 'cli.js');

/** Builds it where a source is newer. Of those who want it at once, one builds it, and the others wait. */
export async function buildCliIfStale() {
  if (isFresh()) return;
  await withLock(inRepository('out', 'cli.lock'), async () => {
    if (isFresh()) return;
    const begun = new Date();
    const command = ['esbuild.mjs', 'node', `--into=${folder}`];
    await runCommand('Building the command line', pinnedNode, command, { cwd: repository });
    await mkdir(folder, { recursive: true });
    await writeFile(built, '');
    // What is changed while it is built is newer.
    await utimes(built, begun, begun);
  });
}

const isFresh = () => newestOf(sources) < modified(built);
