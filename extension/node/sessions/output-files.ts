import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { versionOf } from '../../core/base/content-hash.ts';
import type { SessionOutputs } from '../../core/ports/session-outputs.ts';
import { isSessionId, outputsOf } from '../log/session-files.ts';

/** Characters of a name that its file has. */
const LONGEST = 40;

/** Files of long outputs, for the user alone. `root` is the folder of all sessions, links resolved. */
export function outputFilesIn(root: string): (session: string) => SessionOutputs {
  return (session) => {
    const folder = outputsOf(root, session);
    const fileFor = (name: string) => {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      return join(folder, fileName(name));
    };
    return { folder, fileFor, keep: (name, text) => write(() => fileFor(name), text) };
  };
}

/** Sessions in which a background command may still run, because no process has seen its end. */
export async function sessionsWithBackground(root: string): Promise<string[]> {
  const ids = (await readdir(root)).filter(isSessionId);
  const names = await Promise.all(ids.map((id) => readdir(outputsOf(root, id)).catch(() => [])));
  return ids.filter((_, index) => hasUnended(names[index] ?? []));
}

function hasUnended(names: readonly string[]): boolean {
  return names.some((name) => /^bg\d+-[0-9a-f]+\.txt$/.test(name) && !names.includes(`${name}.exit`));
}

/** A model makes up the names of its calls, so a hash keeps two similar ones apart. */
function fileName(name: string): string {
  const readable = name.slice(0, LONGEST).replace(/[^\w-]/g, '_');
  const hash = versionOf(new TextEncoder().encode(name)).slice(0, 8);
  return `${readable}-${hash}.txt`;
}

function write(fileFor: () => string, text: string): string | undefined {
  let path: string | undefined;
  try {
    path = fileFor();
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  } catch {
    // The disk does not take it. Half of an output would be taken for the whole.
    if (path !== undefined) rmSync(path, { force: true });
    return undefined;
  }
}
