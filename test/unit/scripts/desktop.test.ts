import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';

const DESKTOP = resolve(import.meta.dirname, '../../../scripts/start/desktop.mjs');
const START = `
  const [, desktop, code, folder] = process.argv;
  const { startDesktop } = await import(desktop);
  await startDesktop(code, folder);`;

/** What `npm start` does where this desktop VS Code is, which writes down what it was called with. */
async function start(key: string) {
  const folder = await tempDir();
  const code = join(folder, 'code');
  const workspace = join(folder, 'workspace');
  await writeFile(code, `#!/bin/sh\necho "$@" >> '${folder}/calls'\n`, { mode: 0o755 });
  const arguments_ = ['--input-type=module', '--eval', START, DESKTOP, code, workspace];
  const env = { ...process.env, ANTHROPIC_API_KEY: key };
  await promisify(execFile)(process.execPath, arguments_, { env });
  const settings = await readFile(join(workspace, '.vscode', 'settings.json'), 'utf8').catch(() => '{}');
  return { workspace, settings: JSON.parse(settings), calls: await readFile(join(folder, 'calls'), 'utf8') };
}

test.skipIf(process.platform === 'win32')(
  'without a key the demo model answers in the sample workspace that is opened',
  async () => {
    const { workspace, settings, calls } = await start('');
    expect(settings).toEqual({ 'harness.model': 'demo/demo' });
    expect(calls).toMatch(/--install-extension .*harness\.vsix/);
    expect(calls).toContain(workspace);
  },
);

test.skipIf(process.platform === 'win32')('with a key it is the model of the user’s settings', async () => {
  expect((await start('sk-ant-x')).settings).toEqual({});
});
