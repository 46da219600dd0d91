// Isolates a VS Code under test from this machine. Its home and its temporary files are in a temporary
// folder. It inherits no variable of the developer's own VS Code, npm or model provider.
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
    // On macOS, the names of its sockets would be too long.
    ...(process.platform !== 'darwin' && { TMPDIR: folder, TEMP: folder, TMP: folder }),
    HOME: home,
    USERPROFILE: home,
    HARNESS_HOME: harnessHome(home),
  };
}

/** @param {string} home */
export const harnessHome = (home) => path.join(home, '.harness');

/**
 * A folder that is removed when this process ends. Returns its real path, because VS Code compares paths, and
 * the system's temporary folder may be a link.
 */
export async function makeTemporaryFolder() {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'harness-vscode-')));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
