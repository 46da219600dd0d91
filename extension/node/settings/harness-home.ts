import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { say } from '../../protocol/say.ts';
import { ATTACHMENTS } from '../composer/attachment-files.ts';
import { makeFolder } from '../fs/make-folders.ts';
import { removeLeftovers } from '../fs/temporary-files.ts';
import { removeOldRecords } from '../scan/scan-record.ts';

/** Where Harness stores the user's data. The extension and the CLI share it. All paths are absolute. */
export interface HarnessHome {
  readonly home: string;
  readonly sessions: string;
  readonly policies: string;
  readonly audit: string;
  readonly promptHistory: string;
  /** Settings for programs that run without the editor. */
  readonly config: string;
  /** The folder for the logs of turns. */
  readonly traces: string;
}

/**
 * Uses `storagePath` (a setting), else `$HARNESS_HOME`, else `~/.harness`. Makes a missing folder, for the
 * user alone.
 */
export async function openHarnessHome(storagePath?: string): Promise<HarnessHome> {
  const home = await makeHome(wantedHome(storagePath));
  const sessions = join(home, 'sessions');
  await Promise.all([home, sessions, join(sessions, ATTACHMENTS)].map(removeLeftovers));
  await removeOldRecords(home);
  return {
    home,
    sessions,
    policies: join(home, 'policies.json'),
    audit: join(home, 'audit.jsonl'),
    promptHistory: join(home, 'prompt_history'),
    config: join(home, 'config.json'),
    traces: join(home, 'traces'),
  };
}

/** The same sessions folder as in `openHarnessHome`, for a caller that only reads. Makes no folder. */
export function sessionsPlace(): string {
  return join(wantedHome(), 'sessions');
}

function wantedHome(storagePath?: string): string {
  return resolve(storagePath || process.env.HARNESS_HOME || join(homedir(), '.harness'));
}

async function makeHome(wanted: string): Promise<string> {
  try {
    await makeFolder(wanted);
    return await realpath(wanted);
  } catch (error) {
    const reason = (error as Error).message;
    const problem = say(
      'Harness cannot store its files in {0}: {1}. Set HARNESS_HOME, or “harness.storagePath” in VS Code, to a writable folder.',
      wanted,
      reason,
    );
    throw new Error(problem, { cause: error });
  }
}
