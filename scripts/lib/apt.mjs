// Installs system packages if that is allowed: on Debian, as root.
import { existsSync, readFileSync } from 'node:fs';
import { runCommand } from './logged-process.mjs';

export function canInstallPackages() {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  return /^ID=debian$/m.test(release) && process.getuid?.() === 0;
}

/** @param {readonly string[]} packages */
export async function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  console.log(`Installing ${packages.join(', ')} with apt-get …`);
  await runCommand('Updating the package lists', 'apt-get', ['update'], { env });
  await runCommand(`Installing ${packages.join(', ')}`, 'apt-get', ['install', '--yes', ...packages], {
    env,
  });
}
