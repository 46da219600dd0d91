import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type FakeOptions, playScript, type Script } from '../../scripts/lib/claude/fake-anthropic.ts';
import { tempDir } from './temp-dir.ts';

/** Of the fake Claude. */
export const KEY = 'sk-ant-canary-0123456789';

/** Folders for a run: where it works, and its home. */
export async function place() {
  const folder = await tempDir();
  const cwd = join(folder, 'repo');
  const home = join(folder, 'home');
  await Promise.all([mkdir(cwd), mkdir(home)]);
  return { cwd, home };
}

/** A fake Claude, and the environment that leads to it. */
export async function server(script: Script, options: FakeOptions = { apiKey: KEY }) {
  const fake = await playScript(script, options);
  onTestFinished(() => fake.close());
  return { fake, env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: fake.url } };
}
