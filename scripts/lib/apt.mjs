// Installs system packages if that is allowed: on Debian, as root.
import { existsSync, readFileSync } from 'node:fs';
import { runCommand } from './logged-process.mjs';

export function canInstallPackages() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID=debian$/m.test(release) && process.getuid?.() === 0;
}

/** Seconds that apt waits for another apt to end. */
const LOCK_TIMEOUT = 'DPkg::Lock::Timeout=300';

/** @param {readonly string[]} packages */
export async function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  console.log(`Installing ${packages.join(', ')} with apt-get …`);
  const run = (/** @type {string} */ title, /** @type {string[]} */ ...args) =>
    runCommand(title, 'apt-get', ['-o', LOCK_TIMEOUT, ...args], { env });
  await run('Updating the package lists', 'update');
  await run(`Installing ${packages.join(', ')}`, 'install', '--yes', ...packages);
}
