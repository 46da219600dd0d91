// Runs a test module in a desktop VS Code, downloaded by @vscode/test-electron. Needs a display.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheDirectory } from '../../scripts/lib/cache.mjs';
import { repository } from '../../scripts/lib/paths.mjs';
import { startProcess } from '../../scripts/lib/process-tree.mjs';
import { makeSampleWorkspace } from '../../scripts/lib/sample-workspace.mjs';
import { isolatedEnvironment, makeTemporaryFolder } from '../../scripts/lib/vscode/environment.mjs';

const displayVariables = [
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XAUTHORITY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

/** @type {import('./run.mjs').RunInVsCode} */
export async function runInVsCode({ trust, testModule, limitMilliseconds, onLog }) {
  const program = await downloadAndUnzipVSCode({ cachePath: path.join(cacheDirectory, 'desktop') });
  const folder = await makeTemporaryFolder();
  const args = await makeArguments(folder, trust, testModule);
  const display = displayVariables.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const env = { ...isolatedEnvironment(folder), ...Object.fromEntries(display) };
  const child = await startProcess(program, args, { env, onOutput: byLine(onLog) });
  const timer = setTimeout(() => child.stop(), limitMilliseconds);
  const { code, signal } = await child.exited;
  clearTimeout(timer);
  return code === 0 ? {} : { failure: `VS Code ended with ${signal ?? `exit code ${code}`}.` };
}

/**
 * @param {string} folder
 * @param {boolean} trust
 * @param {string} testModule
 */
async function makeArguments(folder, trust, testModule) {
  const userDataDir = path.join(folder, 'user-data');
  await mkdir(path.join(userDataDir, 'User'), { recursive: true });
  const settings = { 'security.workspace.trust.startupPrompt': 'never' };
  await writeFile(path.join(userDataDir, 'User', 'settings.json'), JSON.stringify(settings));
  return [
    await makeSampleWorkspace(path.join(folder, 'workspace')),
    ...[
      '--no-sandbox',
      '--disable-gpu-sandbox',
      '--disable-updates',
      '--skip-welcome',
      '--skip-release-notes',
    ],
    ...(trust ? ['--disable-workspace-trust'] : []),
    `--user-data-dir=${userDataDir}`,
    `--extensions-dir=${path.join(folder, 'extensions')}`,
    `--extensionDevelopmentPath=${repository}`,
    `--extensionTestsPath=${testModule}`,
  ];
}

/** Output comes in pieces that end anywhere. @param {(line: string) => void} onLine */
function byLine(onLine) {
  let rest = '';
  /** @param {string} text */
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  };
}
