// Runs in the extension host: counts what Harness's code does there unprompted.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { untilAtRest } from '../lib/at-rest.ts';
import { settle } from './settle.ts';

/** Fired timers of Harness's code: from its start until it rests, and in the time after that. */
export interface Timers {
  readonly opening: number;
  readonly resting: number;
}

export async function timersAtRest(seconds: number): Promise<Timers> {
  await settle();
  await vscode.commands.executeCommand('harness.chat.focus');
  const opening = await untilAtRest(async () => timers());
  await sleep(seconds * 1_000);
  return { opening, resting: timers() - opening };
}

/** Counted by bench/host/counted-extension.ts, which wraps the extension. */
function timers(): number {
  const { benchTimers } = globalThis as unknown as { readonly benchTimers: { readonly timers: number } };
  return benchTimers.timers;
}
