// Starts a real VS Code on 127.0.0.1, in two ways. server.d.mts describes each.
import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { freePort } from '../free-port.mjs';
import { runCommand, startLogged } from '../logged-process.mjs';
import { pinnedNode, vsixFile } from '../paths.mjs';
import { makeSampleWorkspace } from '../sample-workspace.mjs';
import { vscodeServer } from '../vscode-server.mjs';
import { harnessHome, isolatedEnvironment, makeTemporaryFolder } from './environment.mjs';
import { writeLanguagePack } from './language-pack.mjs';
import { keepLogs, makeLogFolder, quoteLogs, withoutNoise } from './logs.mjs';

const readyMilliseconds = 180_000;

/** A workbench without first-run pages, prompts and network traffic, in a fixed theme. */
const quietSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'workbench.colorTheme': 'Dark 2026',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** @type {typeof import('./server.d.mts').startTestServer} */
export async function startTestServer({ name, trust = true, settings = {}, env = {}, ...given }) {
  const { server } = await vscodeServer();
  const folder = await makeTemporaryFolder();
  const home = path.join(folder, 'home');
  const dataDir = path.join(folder, 'server', 'data');
  const logFolder = await makeLogFolder(name);
  await keepLogs(dataDir, logFolder);
  await writeSettings(dataDir, settings);
  return await listen({
    folder,
    home,
    logFolder,
    vscodeLogs: logFolder,
    workspace: given.workspace ?? (await makeWorkspace(folder, given.files)),
    env: { ...isolatedEnvironment(folder, home), ...env },
    ready: /Extension host agent listening on (\d+)/,
    args: [
      server,
      ...[
        '--host',
        '127.0.0.1',
        '--port',
        '0',
        '--without-connection-token',
        '--accept-server-license-terms',
      ],
      ...['--server-data-dir', path.dirname(dataDir), '--disable-telemetry', '--enable-smoke-test-driver'],
      ...(trust ? ['--disable-workspace-trust'] : []),
    ],
  });
}

/** @type {typeof import('./server.d.mts').testUrl} */
export function testUrl(vscode, extension, testModule) {
  const { host } = new URL(vscode.url);
  const payload = [
    ['extensionDevelopmentPath', `vscode-remote://${host}${extension}`],
    ['extensionTestsPath', `vscode-remote://${host}${testModule}`],
  ];
  return `${vscode.url}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

/** @type {typeof import('./server.d.mts').startWorkbench} */
export async function startWorkbench({
  name,
  vsix = vsixFile,
  companions = [],
  trust = true,
  settings = {},
  env = {},
  dataFolder,
  port,
  language,
  ...given
}) {
  const { workbench } = await vscodeServer();
  const folder = await makeTemporaryFolder();
  const home = dataFolder ? os.homedir() : path.join(folder, 'home');
  const userDataDir = path.join(dataFolder ?? folder, 'user-data');
  const logFolder = await makeLogFolder(name);
  if (!dataFolder) await keepLogs(userDataDir, logFolder);
  await writeSettings(userDataDir, settings);
  const fullEnv = { ...(dataFolder ? ownEnvironment() : isolatedEnvironment(folder, home)), ...env };
  const folders = [
    ...['--user-data-dir', userDataDir, '--extensions-dir', path.join(dataFolder ?? folder, 'extensions')],
    ...['--config', path.join(folder, 'config.yaml')],
  ];
  if (language) await writeLanguagePack(userDataDir, language);
  const install = [vsix, ...companions].flatMap((file) => ['--install-extension', file]);
  const command = [workbench, ...folders, ...install, '--force'];
  await runCommand('Installing the extension', pinnedNode, command, { env: fullEnv });
  const workspace = given.workspace ?? (await makeWorkspace(folder, given.files));
  return await listen({
    folder,
    home,
    logFolder,
    vscodeLogs: path.join(userDataDir, 'logs'),
    workspace,
    env: fullEnv,
    ready: /HTTP server listening on http:\/\/127\.0\.0\.1:(\d+)/,
    args: [
      workbench,
      ...['--auth', 'none', '--bind-addr', `127.0.0.1:${await freePort(port)}`, ...folders],
      ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
      ...(trust ? ['--disable-workspace-trust'] : []),
      ...(language ? ['--locale', language] : []),
      workspace,
    ],
  });
}

/**
 * @param {{
 *   folder: string, workspace: string, home: string, args: string[], env: NodeJS.ProcessEnv,
 *   ready: RegExp, logFolder: string, vscodeLogs: string,
 * }} start
 * @returns {Promise<import('./server.d.mts').RunningVsCode>}
 */
async function listen({ folder, workspace, home, args, env, ready, logFolder, vscodeLogs }) {
  await mkdir(home, { recursive: true });
  const logFile = path.join(logFolder, 'server.log');
  const child = await startLogged('VS Code', pinnedNode, args, { env, logFile, guarded: folder });
  const [, port] = await child.waitForOutput(ready, readyMilliseconds);
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}/?folder=${encodeURIComponent(workspace)}`,
    workspace,
    home,
    harnessHome: env.HARNESS_HOME || harnessHome(home),
    logFolder,
    quoteLogs: async () => `--- ${logFile}\n${withoutNoise(child.tail())}\n${await quoteLogs(vscodeLogs)}`,
    ended: child.exited.then(() => undefined),
    stop: child.stop,
  };
}

/**
 * @param {string} folder
 * @param {Readonly<Record<string, string>>} [files]
 */
async function makeWorkspace(folder, files = {}) {
  const workspace = await makeSampleWorkspace(path.join(folder, 'workspace'));
  for (const [name, contents] of Object.entries(files)) {
    const file = path.join(workspace, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, contents);
  }
  return workspace;
}

/**
 * @param {string} dataDir
 * @param {Readonly<Record<string, unknown>>} settings
 */
async function writeSettings(dataDir, settings) {
  const file = path.join(dataDir, 'User', 'settings.json');
  await mkdir(path.dirname(file), { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, null, 2);
  await writeFile(file, text, { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
}

/**
 * The environment without variables of a VS Code terminal, or of a platform that assigns ports, which
 * code-server would use.
 */
function ownEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(VSCODE_|CODE_SERVER_|ELECTRON_|PORT$)/.test(name)),
  );
}
