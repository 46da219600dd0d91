import { execFile } from 'node:child_process';
import * as vscode from 'vscode';
import type { ApiKeys } from '../models/api-keys.ts';

/** What `harness sessions` needs from the window. */
export interface SessionsProgram {
  /** The extension's folder. */
  readonly extension: vscode.Uri;
  /** Harness's own folder. */
  readonly home: string;
  readonly keys: ApiKeys;
}

/**
 * Runs `harness sessions … --json` in its own process, because a long session must not block the window.
 * Shows `title` meanwhile, with a way to cancel. Resolves with the parsed output. Rejects with the program's
 * message.
 */
export function runSessions(
  program: SessionsProgram,
  args: readonly string[],
  title: string,
): Thenable<unknown> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (_progress, cancellation) => {
    const stop = new AbortController();
    const listening = cancellation.onCancellationRequested(() => stop.abort());
    try {
      return JSON.parse(await run(program, [...args, '--json'], stop.signal));
    } finally {
      listening.dispose();
    }
  });
}

async function run({ extension, home, keys }: SessionsProgram, args: readonly string[], signal: AbortSignal) {
  const file = vscode.Uri.joinPath(extension, 'dist', 'sessions.js').fsPath;
  const env = {
    ...process.env,
    ...namesOf(await keys.stored()),
    HARNESS_HOME: home,
    ELECTRON_RUN_AS_NODE: '1',
  };
  return new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [file, ...args], { env, cwd: home, signal }, (error, stdout, stderr) => {
      if (error)
        reject(signal.aborted ? error : new Error(stderr.trim().replace(/^harness: /, '') || error.message));
      else resolve(stdout);
    });
  });
}

/** Passes keys as variables that the program treats as secrets, so that it leaves them out of its output. */
function namesOf(keys: readonly string[]): Record<string, string> {
  return Object.fromEntries(keys.map((key, index) => [`HARNESS_STORED_${index}_KEY`, key]));
}
