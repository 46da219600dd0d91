// npm start with an installed desktop VS Code.
import { findProgram, invocation } from '../lib/find-program.mjs';
import { runCommand } from '../lib/logged-process.mjs';
import { inRepository, vsixFile } from '../lib/paths.mjs';
import { makeDemoWorkspace } from './demo-workspace.mjs';

/** The `code` command if it can open a window here. VS Code refuses to run as root. */
export function findDesktop() {
  const onLinux = process.platform === 'linux';
  const hasDisplay = !onLinux || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  return hasDisplay && !(onLinux && process.getuid?.() === 0) ? findProgram('code') : undefined;
}

/**
 * @param {string} code
 * @param {string} [folder] of the workspace; is replaced
 */
export async function startDesktop(code, folder = inRepository('out', 'demo', 'workspace')) {
  const workspace = await makeDemoWorkspace(folder);
  await runCommand(
    'Installing the extension',
    ...invocation(code, ['--install-extension', vsixFile, '--force']),
  );
  // A development extension exists only in that one window and is not installed.
  const opener = `--extensionDevelopmentPath=${inRepository('scripts', 'start', 'opener')}`;
  await runCommand('Opening VS Code', ...invocation(code, [opener, workspace]));
  console.log(`
VS Code opens the sample workspace ${workspace} with the Harness panel.
Trust the folder and ask it: Make the date tests pass
The demo model answers unless you chose another one: “Harness: Set API Key” and “Harness: Select Model”.`);
}
