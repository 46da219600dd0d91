// What a VS Code under test may see of this machine. Its home is a temporary folder, what it leaves behind lies in one, and no
// variable of the developer's own VS Code, npm or model provider reaches it.
import { rmSync } from 'node:fs';
import { mkdtemp, realpath } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const passedOn = [
  ['PATH', 'Path', 'LANG', 'LC_ALL', 'TZ', 'USER', 'LOGNAME', 'SHELL'],
  ['TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec', 'NODE_EXTRA_CA_CERTS'],
].flat();

/**
 * @param {string} folder is there, and goes with this process
 * @param {string} [home]
 * @returns {Record<string, string>}
 */
export function isolatedEnvironment(folder, home = folder) {
  const inherited = passedOn.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  return {
    ...Object.fromEntries(inherited),
    // On macOS the names of its sockets would be too long.
    ...(process.platform !== 'darwin' && { TMPDIR: folder, TEMP: folder, TMP: folder }),
    HOME: home,
    USERPROFILE: home,
    HARNESS_HOME: harnessHome(home),
  };
}

/** @param {string} home */
export const harnessHome = (home) => path.join(home, '.harness');

/**
 * A folder that is gone when this process has ended.
 * By its real path: VS Code compares paths, and the system's temporary folder may be a link.
 */
export async function makeTemporaryFolder() {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'harness-vscode-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
