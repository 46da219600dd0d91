import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cli } from './cli.ts';
import { place, server } from './cli-place.ts';
import { until } from './until.ts';

/** The recording of a process that was killed while its command was running. */
export async function recordUntilKilled() {
  const { cwd, home } = await place();
  const { env } = await server(() => ({
    blocks: [{ type: 'tool_use', name: 'bash', input: { command: 'touch here; sleep 5' } }],
    stop_reason: 'tool_use',
  }));
  const file = join(home, 'run.harness');
  await cli(['exec', 'Go', '--yes', '--record', file], {
    cwd,
    home,
    env,
    started: async (kill) => {
      await until(() => existsSync(join(cwd, 'here')) && readFileSync(file, 'utf8').includes('shell.run'));
      kill('SIGKILL');
    },
  });
  return { cwd, home, file };
}
