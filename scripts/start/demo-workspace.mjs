import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';

/**
 * The sample project, in which the demo model answers, so that nothing has to be signed up for: for a VS Code whose user
 * settings are not ours. Whoever has a key in the environment gets the model of their own settings.
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
