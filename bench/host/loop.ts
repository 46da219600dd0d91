// Runs in the extension host: runs the same prompts in both extensions, alternating, with their views open.
import * as vscode from 'vscode';
import { beginRun, readNoted } from '../lib/gaps.ts';
import type { LoopRun, LoopRunResult } from '../lib/loop-runs.ts';
import { settle } from './settle.ts';

const prompt = 'Read the file.';
const commands = { ours: 'harness.ask', bare: 'bare.ask' } as const;

export async function runLoops(url: string, runs: readonly LoopRun[]): Promise<LoopRunResult[]> {
  const results: LoopRunResult[] = [];
  for (const run of runs) {
    await openView(url, run.loop);
    results.push({ ...run, gaps: await gapsOf(url, run) });
  }
  return results;
}

/** A short run opens the view; a new conversation follows. */
async function openView(url: string, loop: LoopRun['loop']): Promise<void> {
  await gapsOf(url, { loop, turns: 3 });
  if (loop === 'ours') await vscode.commands.executeCommand('harness.newSession');
  await settle();
}

async function gapsOf(url: string, { loop, turns }: LoopRun): Promise<number[]> {
  await beginRun(url, turns);
  await vscode.commands.executeCommand(commands[loop], prompt);
  return (await readNoted(url)).gaps;
}
