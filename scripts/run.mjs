// node scripts/run.mjs SCRIPT ARGS…: installs the dependencies, then runs SCRIPT on the pinned Node.
import { spawn } from 'node:child_process';
import { ensureDependencies } from './bootstrap.mjs';
import { main } from './lib/main.mjs';
import { pinnedNode } from './lib/paths.mjs';
import { exitCodeOf, onShutdown } from './lib/process-tree.mjs';

await main(async () => {
  const args = process.argv.slice(2);
  if (args.length === 0) throw new Error('Usage: node scripts/run.mjs SCRIPT ARGS…');
  await ensureDependencies();
  // In this process's group, unlike other children, because SCRIPT may read from the terminal.
  const child = spawn(pinnedNode, args, { stdio: 'inherit' });
  const exited = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })));
  onShutdown(async () => {
    child.kill();
    await exited;
  });
  return exitCodeOf(await exited);
});
