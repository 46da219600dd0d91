import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';

/**
 * Makes the sample project with the demo model as its setting, so that no account is needed. For a VS Code
 * with the user's own settings. With a key in the environment, the model of the user's settings stays.
 * @param {string} folder is replaced
 * @returns {Promise<string>} the folder
 */
export async function makeDemoWorkspace(folder) {
  await makeSampleWorkspace(folder);
  if (process.env.ANTHROPIC_API_KEY) return folder;
  await mkdir(path.join(folder, '.vscode'));
  const settings = JSON.stringify({ 'harness.model': 'demo/demo' }, null, 2);
  await writeFile(path.join(folder, '.vscode', 'settings.json'), `${settings}\n`);
  return folder;
}
