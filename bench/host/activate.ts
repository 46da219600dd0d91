// Runs in the extension host: activates extensions one after the other.
import * as vscode from 'vscode';
import { settle } from './settle.ts';

export type Milliseconds = Readonly<Record<string, number>>;

/** The milliseconds of each activation, by id. */
export async function activate(ids: readonly string[]): Promise<Milliseconds> {
  // An activation waits for answers of the window.
  await settle();
  const times: Record<string, number> = {};
  for (const id of ids) times[id] = await timeOf(id);
  return times;
}

async function timeOf(id: string): Promise<number> {
  const extension = vscode.extensions.getExtension(id);
  if (!extension) throw new Error(`The extension ${id} is not there.`);
  if (extension.isActive) throw new Error(`The extension ${id} is active already.`);
  const started = performance.now();
  await extension.activate();
  return performance.now() - started;
}
