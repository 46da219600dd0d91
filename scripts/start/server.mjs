// npm start where there is no desktop VS Code: its server, for any browser on this machine.
import path from 'node:path';
import { startWorkbench } from '../../test/support/vscode/server.mjs';
import { cacheDirectory } from '../lib/cache.mjs';
import { inRepository } from '../lib/paths.mjs';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';

/** Kept where it is free: a browser remembers the layout of the workbench by its address. */
const preferredPort = 8137;

export async function startServer() {
  const workspace = await makeSampleWorkspace(inRepository('out', 'demo', 'workspace'));
  const vscode = await startWorkbench({
    name: 'start',
    workspace,
    dataFolder: path.join(cacheDirectory, 'workbench'),
    port: preferredPort,
  });
  console.log(`
Open ${vscode.url}
  1. Click the Harness icon in the activity bar on the left.
  2. Choose "Try the demo", or "Set API Key" for a model of your own.
  3. Ask: Make the date tests pass
Sessions are kept in ${vscode.harnessHome}. Ctrl+C ends VS Code.`);
  await vscode.ended;
  throw new Error(`VS Code ended by itself.\n${await vscode.quoteLogs()}`);
}
