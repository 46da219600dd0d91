// Measures the cost of undo. Arguments: a folder with `tree/`, rounds. Prints milliseconds of processor time
// and bytes as JSON, because the machine's other work increases neither. Of commands, it prints the time.
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { lstat, mkdir, open, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ChangeTracker } from '../../extension/core/checkpoints/change-tracker.ts';
import { BlobFiles } from '../../extension/node/blobs/blob-files.ts';
import { guardedFiles } from '../../extension/node/fs/guarded-files.ts';
import { nodeFileTree } from '../../extension/node/fs/node-file-tree.ts';
import { NodeShell } from '../../extension/node/processes/node-shell.ts';
import { NodeWorkspaceScan } from '../../extension/node/scan/node-workspace-scan.ts';
import { measurePairs, processorTimeOf, timeOf } from './timing.ts';

const [folder = '', rounds = '1'] = process.argv.slice(2);
const tree = join(folder, 'tree');
const file = join(folder, 'file');
const blobs = new BlobFiles(join(folder, 'blobs'));
const bytes = randomBytes(1_000_000);
const EDITS = 1_000;
const { signal } = new AbortController();

const scan = new NodeWorkspaceScan({ roots: () => [tree], home: join(folder, 'home') });
const tracker = new ChangeTracker({ files: guardedFiles(nodeFileTree, () => [folder]), blobs, scan });

async function edit(): Promise<void> {
  randomBytes(100).copy(bytes, Math.floor(Math.random() * 999_000));
  await writeFile(file, bytes);
}

async function tracked(): Promise<void> {
  const call = await tracker.begin([file], { signal });
  await edit();
  await call.changes();
}

/** The necessary minimum for storing a file before and after: two reads, and two copies on the disk. */
async function copied(): Promise<void> {
  await copy(await readFile(file));
  await edit();
  await copy(await readFile(file));
}

async function copy(content: Uint8Array): Promise<void> {
  const handle = await open(join(folder, 'copy.tmp'), 'w');
  await handle.writeFile(content);
  await handle.sync();
  await handle.close();
  await rename(join(folder, 'copy.tmp'), join(folder, 'copy'));
}

/** Reads only the names and times of everything, twice in sequence. */
async function walked(): Promise<void> {
  for (const _ of [1, 2]) await walk(tree);
}

async function walk(directory: string): Promise<void> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) await walk(path);
    else await lstat(path);
  }
}

async function scanned(): Promise<void> {
  const call = await tracker.begin('workspace', { signal });
  await call.changes();
}

const large = join(folder, 'large');
const largeScan = new NodeWorkspaceScan({
  roots: () => [large],
  home: join(folder, 'home'),
  limits: () => ({ maxEntries: 100_000 }),
});
const largeTracker = new ChangeTracker({
  files: nodeFileTree,
  blobs: new BlobFiles(join(folder, 'large-blobs')),
  scan: largeScan,
});
const shell = new NodeShell();

async function command(): Promise<void> {
  const run = { command: 'true', cwd: large, timeoutMs: 30_000, maxBytes: 1_000 };
  await shell.run(run, () => {}, signal);
}

async function trackedCommand(): Promise<void> {
  const call = await largeTracker.begin('workspace', { call: 'call', signal });
  await command();
  await call.changes();
}

async function storage(): Promise<number> {
  const place = join(folder, 'edits');
  await mkdir(place);
  const kept = new BlobFiles(place);
  let last = await kept.put(bytes);
  for (let count = 0; count < EDITS; count += 1) {
    randomBytes(200).copy(bytes, (count * 7_919) % 999_000);
    last = await kept.put(bytes, last);
  }
  return sizeOf(place);
}

/** The same with commands, between which the user edits the file, too. */
async function storageOfCommands(): Promise<number> {
  const place = join(folder, 'commands');
  const root = join(folder, 'alone');
  await mkdir(root);
  const own = new NodeWorkspaceScan({ roots: () => [root], home: join(folder, 'home') });
  const commands = new ChangeTracker({ files: nodeFileTree, blobs: new BlobFiles(place), scan: own });
  const save = (count: number) => {
    randomBytes(200).copy(bytes, (count * 7_919) % 999_000);
    return writeFile(join(root, 'file'), bytes);
  };
  for (let count = 0; count < EDITS; count += 1) {
    await save(2 * count);
    const call = await commands.begin('workspace', { signal });
    await save(2 * count + 1);
    await call.changes();
  }
  await own.close();
  return sizeOf(place);
}

/** Bytes that the files of a folder occupy on the disk. */
async function sizeOf(place: string): Promise<number> {
  const sizes = await Promise.all((await readdir(place)).map((name) => stat(join(place, name))));
  return sizes.reduce((sum, { blocks }) => sum + blocks * 512, 0);
}

await writeFile(file, bytes);
const results = {
  snapshot: await measurePairs(Number(rounds), tracked, copied, processorTimeOf),
  baseline: await processorTimeOf(scanned),
  scan: await measurePairs(Number(rounds), scanned, walked, processorTimeOf),
  firstCommand: await timeOf(trackedCommand),
  command: await measurePairs(Number(rounds), trackedCommand, command),
  storage: await storage(),
  storageOfCommands: await storageOfCommands(),
};
await Promise.all([scan.close(), largeScan.close()]);
console.log(JSON.stringify(results));
