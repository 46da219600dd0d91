// The calls of these tests run in a process of their own, as `nobody` where this one is root's.
import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isRoot, NOBODY } from '../../../support/nobody.ts';
import { tempDir } from '../../../support/temp-dir.ts';

/** A directory that belongs to the user who makes the calls. */
export async function nobodysDir(): Promise<string> {
  const path = await tempDir();
  await chmod(path, 0o755);
  if (isRoot) await chown(path, NOBODY, NOBODY);
  return path;
}

export interface Call {
  readonly root: string;
  readonly tool: string;
  readonly input: object;
}

/** For each call the tool's result, or `{ error }`. `prelude` is run by a shell before: a resource limit. */
export async function callToolsAsNobody(calls: readonly Call[], prelude = ':'): Promise<unknown[]> {
  const script = fileURLToPath(new URL('./call-tools.main.ts', import.meta.url));
  const node = [process.execPath, '--experimental-transform-types', '--no-warnings', script];
  const { stdout } = await promisify(execFile)(
    '/bin/bash',
    ['-c', `${prelude}; exec "$@"`, 'bash', ...node, JSON.stringify(calls)],
    { cwd: '/', ...(isRoot && { uid: NOBODY, gid: NOBODY }) },
  );
  return JSON.parse(stdout);
}
