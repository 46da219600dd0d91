// npm start where a desktop VS Code is installed.
import { findProgram, invocation } from '../lib/find-program.mjs';
import { runCommand } from '../lib/logged-process.mjs';
import { inRepository, vsixFile } from '../lib/paths.mjs';
import { makeSampleWorkspace } from '../lib/sample-workspace.mjs';

/** The `code` command, if it can open a window here. VS Code refuses to run as root. */
export function findDesktop() {
  const onLinux = process.platform === 'linux';
  const hasDisplay = !onLinux || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return hasDisplay && !(onLinux && process.getuid?.() === 0) ? findProgram('code') : undefined;
}

/** @param {string} code */
export async function startDesktop(code) {
  const workspace = await makeSampleWorkspace(inRepository('out', 'demo', 'workspace'));
  await runCommand(
    'Installing the extension',
    ...invocation(code, ['--install-extension', vsixFile, '--force']),
  );
  // A development extension lives in that one window and is installed nowhere.
  const opener = `--extensionDevelopmentPath=${inRepository('scripts', 'start', 'opener')}`;
  await runCommand('Opening VS Code', ...invocation(code, [opener, workspace]));
  console.log(`
VS Code opens the sample workspace ${workspace} with the Harness panel.
Choose “Try the demo” there, or “Set API Key” for a model of your own, and ask: Make the date tests pass`);
}
