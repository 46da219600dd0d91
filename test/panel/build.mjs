import { inRepository, pinnedNode, repository } from '../../scripts/lib/paths.mjs';
import { exitCodeOf, startProcess } from '../../scripts/lib/process-tree.mjs';

/** Before all tests: the bundle that they open. */
export default async function setup() {
  const build = await startProcess(pinnedNode, [inRepository('esbuild.mjs'), 'webview'], { cwd: repository });
  if (exitCodeOf(await build.exited) !== 0) throw new Error('The panel could not be built.');
}
