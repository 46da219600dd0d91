// Makes a fresh clone runnable: installs node_modules if they are missing or differ from package-lock.json.
// Runs on Node 20 or newer, and imports nothing from node_modules.
import { existsSync, readFileSync } from 'node:fs';
import { withLock } from './lib/lock.mjs';
import { runCommand } from './lib/logged-process.mjs';
import { npmCommand } from './lib/npm.mjs';
import { inRepository, pinnedNode, repository } from './lib/paths.mjs';

const networkFailure =
  /ECONNRESET|ECONNREFUSED|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|ERR_SOCKET_TIMEOUT|network|E50\d/;
const lockDoesNotFit = /can only install packages when/;

export async function ensureDependencies() {
  if (Number.parseInt(process.versions.node, 10) < 20)
    throw new Error(`Node 20 or newer is needed; this is ${process.version}.`);
  if (isInstalled()) return;
  await withLock(inRepository('out', 'npm-ci.lock'), async () => {
    if (isInstalled()) return;
    console.log('Installing dependencies (npm ci) …');
    await npm('ci').catch(installOtherwise);
    if (!existsSync(pinnedNode)) {
      throw new Error(
        'npm succeeded, but the package `node` has no program: its install script did not run. See what `npm config get ignore-scripts` says; it must be false here.',
      );
    }
  });
}

/** @param {Error} error */
async function installOtherwise(error) {
  if (networkFailure.test(error.message)) {
    console.log('The network failed. Trying once more …');
    return await npm('ci');
  }
  // npm omits packages for other platforms from the lock file if the registry at that time lacked them.
  if (lockDoesNotFit.test(error.message)) {
    console.log('package-lock.json does not cover all of package.json. Installing with npm install …');
    return await npm('install', '--no-save');
  }
  throw error;
}

/** @param {...string} words */
async function npm(...words) {
  const { command, args, env } = npmCommand([...words, '--no-audit', '--no-fund', '--loglevel=error']);
  await runCommand('Installing dependencies', command, args, { cwd: repository, env });
}

/**
 * npm writes a copy of the lock file with the installed packages into node_modules. Compares it with
 * package-lock.json.
 */
function isInstalled() {
  const installedFile = inRepository('node_modules', '.package-lock.json');
  if (!existsSync(installedFile) || !existsSync(pinnedNode)) return false;
  const installed = packagesOf(installedFile);
  return Object.entries(packagesOf(inRepository('package-lock.json'))).every(
    ([place, wanted]) => place === '' || wanted.optional || installed[place]?.version === wanted.version,
  );
}

/** @param {string} lockFile @returns {Record<string, { version: string, optional?: boolean }>} */
function packagesOf(lockFile) {
  return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
}
