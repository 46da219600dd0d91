// Finds a browser of the Chromium family on this machine, or installs Debian's.
import path from 'node:path';
import { canInstallPackages, installPackages } from './apt.mjs';
import { findProgram, isExecutable } from './find-program.mjs';

const programNames = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'chrome',
  'msedge',
];

/**
 * The paths of browsers that installers do not put on PATH.
 * @type {Partial<Record<NodeJS.Platform, string[]>>}
 */
const applicationFiles = {
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) =>
      ['Google/Chrome/Application/chrome.exe', 'Microsoft/Edge/Application/msedge.exe'].map((file) =>
        path.join(folder, file),
      ),
    ),
};

function findChromium() {
  return findProgram(...programNames) ?? applicationFiles[process.platform]?.find(isExecutable);
}

/** @returns {Promise<string>} the path of the browser's program */
export async function chromium() {
  const wanted = process.env.CHROME_PATH;
  if (wanted) {
    if (isExecutable(wanted)) return wanted;
    throw new Error(
      `CHROME_PATH is ${wanted}, which is not a program. Set it to the program of Chrome, Chromium or Edge.`,
    );
  }
  const installed = findChromium();
  if (installed) return installed;
  if (canInstallPackages()) await installPackages(['chromium']);
  const found = findChromium();
  if (found) return found;
  throw new Error(
    'No Chrome, Chromium or Edge was found. Install one, or set CHROME_PATH to its program, and try again.',
  );
}
