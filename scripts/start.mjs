// npm start: runs Harness in a real VS Code, with a sample workspace, from a fresh clone.
//   npm start                                  in desktop VS Code if installed, else its server, with a URL
//   npm start -- --headless [--prompt TEXT]    in headless Chromium, with pictures and the event log
import { parseArgs } from 'node:util';
import { ensureDependencies } from './bootstrap.mjs';
import { main } from './lib/main.mjs';

await main(async () => {
  const { headless, prompt } = parseArgs({
    options: { headless: { type: 'boolean', default: false }, prompt: { type: 'string' } },
  }).values;
  if (prompt !== undefined && !headless)
    throw new Error('--prompt needs --headless; otherwise type it into the panel.');
  await ensureDependencies();
  // Only now packages of node_modules may be loaded, so these imports must not be static.
  const { packageExtension } = await import('./lib/vsix.mjs');
  console.log('Building and packaging the extension …');
  await packageExtension();
  if (headless) {
    const { startHeadless } = await import('./start/headless.mjs');
    return await startHeadless(prompt);
  }
  const { findDesktop, startDesktop } = await import('./start/desktop.mjs');
  const desktop = findDesktop();
  if (desktop) return await startDesktop(desktop);
  const { startServer } = await import('./start/server.mjs');
  return await startServer();
});
