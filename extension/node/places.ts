import { mkdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where Harness keeps what belongs to the user: the extension and the CLI share it. All paths are absolute. */
export interface Places {
  readonly home: string;
  readonly sessions: string;
  readonly policies: string;
  readonly audit: string;
  readonly promptHistory: string;
}

/** `storagePath` (a setting), else `$HARNESS_HOME`, else `~/.harness`. Made where it is missing, for the user alone. */
export async function openPlaces(storagePath?: string): Promise<Places> {
  const wanted = resolve(storagePath || process.env.HARNESS_HOME || join(homedir(), '.harness'));
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  const home = await realpath(wanted);
  return {
    home,
    sessions: join(home, 'sessions'),
    policies: join(home, 'policies.json'),
    audit: join(home, 'audit.jsonl'),
    promptHistory: join(home, 'prompt_history'),
  };
}
