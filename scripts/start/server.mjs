// npm start without a desktop VS Code: starts its server, for any browser on this machine.
import path from 'node:path';
import { cacheDirectory } from '../lib/cache.mjs';
import { inRepository } from '../lib/paths.mjs';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';
import { startWorkbench } from '../lib/vscode/server.mjs';
import { packageOpener } from '../lib/vsix.mjs';

/** Used if it is free, because a browser stores the layout of the workbench by its address. */
const preferredPort = 8137;

export async function startServer() {
  const workspace = await makeSampleWorkspace(inRepository('out', 'demo', 'workspace'));
  const vscode = await startWorkbench({
    name: 'start',
    workspace,
    companions: [await packageOpener()],
    // Without a key the demo model answers, so that no account is needed.
    settings: { 'harness.model': 'demo/demo' },
    dataFolder: path.join(cacheDirectory, 'workbench'),
    port: preferredPort,
  });
  console.log(`
Open ${vscode.url}
The Harness panel is open on a sample workspace. Ask it: Make the date tests pass
The demo model answers unless you chose another one: “Harness: Set API Key” and “Harness: Select Model”.
Sessions are kept in ${vscode.harnessHome}. Ctrl+C ends VS Code.`);
  await vscode.ended;
  throw new Error(`VS Code ended by itself.\n${await vscode.quoteLogs()}`);
}
