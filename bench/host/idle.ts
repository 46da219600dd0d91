// Runs in the extension host: what our code there does of its own accord.
import { setTimeout as sleep } from 'node:timers/promises';
import * as vscode from 'vscode';
import { untilAtRest } from '../lib/at-rest.ts';
import { settle } from './settle.ts';

/** Timers of our code that have fired: from its start until it rests, and in the time after that. */
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

/** As bench/host/counted-extension.ts, which is in front of the extension, has counted them. */
function timers(): number {
  const { benchTimers } = globalThis as unknown as { readonly benchTimers: { readonly timers: number } };
  return benchTimers.timers;
}
