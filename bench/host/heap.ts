// Runs in the extension host: measures the panel's cost there.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import { settle } from './settle.ts';

/** Megabytes by which the used heap grows when the panel shows the session of this window. */
export async function heapGrowth(): Promise<number> {
  await settle();
  const before = inUse();
  await vscode.commands.executeCommand('harness.chat.focus');
  await settle();
  return inUse() - before;
}

function inUse(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  collect();
  return process.memoryUsage().heapUsed / 1e6;
}
