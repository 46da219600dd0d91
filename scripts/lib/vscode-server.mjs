// A real VS Code without a desktop: the server and workbench of npm's `code-server`. Its plain install
// compiles every native module, which takes minutes and needs Kerberos headers. Only two modules are needed.
import { access, readdir } from 'node:fs/promises';
import path from 'node:path';
import { canInstallPackages, installPackages } from './apt.mjs';
import { cached } from './cache.mjs';
import { findProgram } from './find-program.mjs';
import { runCommand } from './logged-process.mjs';
import { npmCommand } from './npm.mjs';
import { inRepository, pinnedNode } from './paths.mjs';

const version = '4.139.1';
const nodeMajor = '24';
const nativeModules = ['@vscode/spdlog', '@vscode/native-watchdog'];
/** Its package has a prebuilt version. The check finds a broken one before a terminal fails to open. */
const prebuiltModules = ['node-pty'];

/** @param {string} directory */
const layout = (directory) => {
  const root = path.join(directory, 'node_modules', 'code-server');
  return {
    /** The workbench with an installed extension: `code-server`. */
    workbench: path.join(root, 'out', 'node', 'entry.js'),
    /** VS Code's own server, which can run tests in the extension host. */
    server: path.join(root, 'lib', 'vscode', 'out', 'server-main.js'),
    vscode: path.join(root, 'lib', 'vscode'),
    /** VS Code's own extensions, one of which includes TypeScript. */
    extensions: path.join(root, 'lib', 'vscode', 'extensions'),
  };
};

/** @returns {Promise<{ workbench: string, server: string }>} scripts to run with the pinned Node */
export async function vscodeServer() {
  const name = `code-server-${version}-node${nodeMajor}-${process.platform}-${process.arch}`;
  return layout(await cached(name, { install, verify }));
}

/** @param {string} directory */
async function install(directory) {
  const started = Date.now();
  console.log(`Installing VS Code's server (code-server ${version}, 600 MB, once) …`);
  const { vscode, extensions } = layout(directory);
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  await npm(
    'Downloading code-server',
    ['install', `code-server@${version}`, '--ignore-scripts', ...quiet],
    directory,
  );
  for (const folder of [vscode, extensions]) {
    await npm(
      "Downloading the server's modules",
      ['install', '--omit=dev', '--ignore-scripts', ...quiet],
      folder,
    );
  }
  await installCompiler();
  await npm(
    "Building the server's native modules",
    ['rebuild', ...nativeModules, '--loglevel=error'],
    vscode,
  );
  console.log(`Installed VS Code's server in ${Math.round((Date.now() - started) / 1000)} s.`);
}

/** @param {string} directory */
async function verify(directory) {
  const { workbench, vscode, extensions } = layout(directory);
  await access(path.join(extensions, 'node_modules', 'typescript', 'lib', 'tsserver.js'));
  const output = await runCommand('Starting code-server', pinnedNode, [workbench, '--version'], {
    env: { ...process.env, XDG_CONFIG_HOME: path.join(directory, 'config') },
    timeoutMilliseconds: 30_000,
  });
  if (!output.includes(version)) throw new Error(`It should be code-server ${version} but says: ${output}`);
  const load = [...nativeModules, ...prebuiltModules]
    .map((name) => `require(${JSON.stringify(name)})`)
    .join(';');
  await runCommand('Loading native modules', pinnedNode, ['-e', load], {
    cwd: vscode,
    timeoutMilliseconds: 30_000,
  });
}

/**
 * @param {string} what
 * @param {string[]} args
 * @param {string} cwd
 */
async function npm(what, args, cwd) {
  const { command, args: npmArgs, env } = npmCommand(args, pinnedNode);
  const headers = await nodeHeaders();
  await runCommand(what, command, npmArgs, {
    cwd,
    env: headers ? { ...env, npm_config_nodedir: headers } : env,
  });
}

/** The pinned Node's C++ headers. Without them, node-gyp downloads its own. */
async function nodeHeaders() {
  const platformPackages = inRepository('node_modules', 'node', 'node_modules');
  const entries = await readdir(platformPackages).catch(() => []);
  const platformPackage = entries.find((entry) => /^node-(bin-)?(linux|darwin|win)/.test(entry));
  return platformPackage ? path.join(platformPackages, platformPackage) : undefined;
}

async function installCompiler() {
  const missing = [];
  if (!findProgram('python3')) missing.push('python3');
  if (!findProgram('make')) missing.push('make');
  if (!findProgram('g++', 'clang++', 'c++')) missing.push('g++');
  if (missing.length === 0 || process.platform === 'win32') return;
  if (!canInstallPackages()) {
    throw new Error(
      `Two small native modules have to be compiled. Install ${missing.join(', ')} and try again.`,
    );
  }
  await installPackages(missing);
}
