// Undo against what the files really were: random changes by calls and commands, random edits of the user between them.
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChangeTracker } from '../../../extension/core/files/change-tracker.ts';
import { FileHistory } from '../../../extension/core/files/file-history.ts';
import { planRestore } from '../../../extension/core/files/plan-restore.ts';
import { type RestoredFile, restoreFiles } from '../../../extension/core/files/restorer.ts';
import { undoStackOf } from '../../../extension/core/files/undo-stack.ts';
import { ManualClock } from '../../../extension/core/ports/manual-clock.ts';
import { MemorySessionLog } from '../../../extension/core/ports/memory-session-log.ts';
import { Recorder } from '../../../extension/core/session/recorder.ts';
import { nodeFileTree } from '../../../extension/node/node-file-tree.ts';
import { NodeWorkspaceScan } from '../../../extension/node/scan/node-workspace-scan.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { tempDir } from '../../support/temp-dir.ts';

const NAMES = ['a', 'b', 'd', 'd/x', 'd/y', 'd/e/z', 'f/g'];
const MODES = [0o644, 0o755, 0o600];

interface Act {
  readonly by: 'call' | 'command' | 'user';
  readonly kind: 'write' | 'line' | 'delete' | 'move' | 'mode' | 'link' | 'directory';
  readonly path: string;
  readonly other: string;
  readonly content: Uint8Array;
  readonly mode: number;
}

const line = fc.constantFrom('one', 'two', '', 'ä€😀', '    four');
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
  .map(([lines, end, final]) => lines.join(end) + (final ? end : ''));
const content = fc.oneof(
  text.map((value) => Buffer.from(value)),
  text.map((value) => Buffer.from(`\uFEFF${value}`)),
  text.map((value) => Buffer.from(`\uFEFF${value}`, 'utf16le')),
  text.map((value) => Buffer.from(value, 'latin1')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from([0, ...bytes])),
);

function act(by: fc.Arbitrary<Act['by']>): fc.Arbitrary<Act> {
  return fc.record({
    by,
    kind: fc.constantFrom('write', 'write', 'line', 'delete', 'move', 'mode', 'link', 'directory'),
    path: fc.constantFrom(...NAMES),
    other: fc.constantFrom(...NAMES),
    content,
    mode: fc.constantFrom(...MODES),
  });
}

/** A workspace, a log, and what the files were after each event. */
class Bench {
  readonly events: SessionEvent[] = [];
  readonly #log = new MemorySessionLog('session', new ManualClock());
  readonly #recorder = new Recorder(this.#log, { warn: () => {}, error: () => {} });
  readonly #ports = { files: nodeFileTree, blobs: this.#log.blobs };
  readonly #tracker: ChangeTracker;
  readonly #scan: NodeWorkspaceScan;
  readonly root: string;
  #edits = 0;

  constructor(root: string) {
    this.root = root;
    this.events.push(...this.#log.past);
    this.#recorder.subscribe({ onEvents: (events) => this.events.push(...events) });
    this.#scan = new NodeWorkspaceScan({ roots: () => [root], home: `${root}-home` });
    this.#tracker = new ChangeTracker({ ...this.#ports, scan: this.#scan });
  }

  close(): Promise<void> {
    return this.#scan.close();
  }

  get seq(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  /** Resolves with the lines that the user has put somewhere. */
  async perform(wanted: Act): Promise<string | undefined> {
    if (wanted.by === 'user') return this.#edit(wanted);
    const paths = [join(this.root, wanted.path), join(this.root, wanted.other)];
    const tracked = await this.#tracker.begin(wanted.by === 'call' ? paths : 'workspace');
    await change(this.root, wanted);
    const { changes } = await tracked.changes();
    if (changes.length > 0)
      await this.#recorder.append({ type: 'files_changed', id: 'call', by: 'tool', changes: [...changes] });
    return undefined;
  }

  async restore(to: number, redoes?: string): Promise<readonly RestoredFile[]> {
    const plan = await planRestore(FileHistory.of(this.events), to, this.#ports);
    const ports = { ...this.#ports, recorder: this.#recorder };
    return restoreFiles({ id: `restore_${this.seq + 1}`, to, plan, choices: new Map(), redoes }, ports);
  }

  async redo(): Promise<void> {
    const { redo } = undoStackOf(this.events);
    if (redo) await this.restore(redo.to, redo.restored.id);
  }

  /** A line of its own at the top of a text, a file of its own, or a mode. */
  async #edit({ kind, path, mode }: Act): Promise<string | undefined> {
    this.#edits += 1;
    const mine = `mine ${this.#edits}`;
    if (kind === 'mode') await chmod(join(this.root, path), mode).catch(() => {});
    if (kind === 'link') await put(join(this.root, `user-${this.#edits}`), Buffer.from(mine));
    if (kind !== 'write' && kind !== 'line') return undefined;
    const old = await readFile(join(this.root, path)).catch(() => undefined);
    if (!old || old.includes(0)) return undefined;
    await writeFile(join(this.root, path), Buffer.concat([Buffer.from(`${mine}\n`), old]));
    return mine;
  }
}

async function change(root: string, { kind, path, other, content: bytes, mode }: Act): Promise<void> {
  const [at, to] = [join(root, path), join(root, other)];
  const acts = {
    write: () => put(at, bytes),
    line: async () => put(at, Buffer.concat([await readFile(at), Buffer.from('by a call\n')])),
    delete: () => rm(at, { recursive: true }),
    move: async () => {
      await mkdir(dirname(to), { recursive: true });
      await rename(at, to);
    },
    mode: () => chmod(at, mode | 0o700),
    link: () => symlink('elsewhere', at),
    directory: () => mkdir(at, { recursive: true }),
  };
  // A tool writes to what a link leads to; that is another path.
  const isLink = (await lstat(at).catch(() => undefined))?.isSymbolicLink();
  if (isLink && ['write', 'line', 'mode'].includes(kind)) return;
  // What the files do not allow is not done.
  await acts[kind]().catch(() => {});
}

async function put(path: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, bytes);
}

/** Everything below the folder, one line each. */
async function treeOf(folder: string, prefix = ''): Promise<Readonly<Record<string, string>>> {
  const tree: Record<string, string> = {};
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const stats = await lstat(path);
    const mode = (stats.mode & 0o777).toString(8);
    if (stats.isSymbolicLink()) tree[prefix + name] = `-> ${await readlink(path)}`;
    else if (stats.isFile()) tree[prefix + name] = `${mode} ${(await readFile(path)).toString('latin1')}`;
    else Object.assign(tree, { [prefix + name]: mode }, await treeOf(path, `${prefix}${name}/`));
  }
  return tree;
}

async function bench(): Promise<Bench> {
  const root = join(await tempDir(), 'workspace');
  await mkdir(join(root, 'd'), { recursive: true });
  await writeFile(join(root, 'a'), 'one\r\ntwo\r\n');
  await writeFile(join(root, 'd/x'), Buffer.from([0, 1, 2]));
  return new Bench(root);
}

test('after any changes by calls and commands, the files of any point come back whole, and so does now', async () => {
  const acts = fc.array(act(fc.constantFrom('call', 'command')), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(acts, fc.nat(), async (wanted, choice) => {
      const at = await bench();
      const points = [{ seq: at.seq, tree: await treeOf(at.root) }];
      for (const each of wanted) {
        await at.perform(each);
        points.push({ seq: at.seq, tree: await treeOf(at.root) });
      }
      const now = await treeOf(at.root);
      const point = points[choice % points.length];
      const files = await at.restore(point?.seq ?? 0);
      expect(await treeOf(at.root)).toEqual(points.find(({ seq }) => seq === point?.seq)?.tree);
      expect(files.every(({ outcome }) => outcome === 'identical')).toBe(true);
      await at.redo();
      expect(await treeOf(at.root)).toEqual(now);
      await at.close();
    }),
    { numRuns: 60 },
  );
}, 60_000);

test('whatever the user has edited between and since, no line and no file of theirs is lost, and now comes back', async () => {
  const acts = fc.array(act(fc.constantFrom('call', 'command', 'user', 'user')), {
    minLength: 2,
    maxLength: 10,
  });
  await fc.assert(
    fc.asyncProperty(acts, fc.nat(), async (wanted, choice) => {
      const at = await bench();
      const points = [at.seq];
      const lines: string[] = [];
      for (const each of wanted) {
        const mine = await at.perform(each);
        if (mine !== undefined) lines.push(mine);
        points.push(at.seq);
      }
      const before = await treeOf(at.root);
      const files = await at.restore(points[choice % points.length] ?? 0);
      const after = await treeOf(at.root);
      for (const [path, entry] of Object.entries(before)) {
        for (const mine of lines)
          if (entry.includes(`${mine}\n`)) expect(Object.values(after).join('\n')).toContain(mine);
        if (path.startsWith('user-')) expect(after[path]).toBe(entry);
      }
      for (const { path, outcome } of files)
        if (outcome === 'kept')
          expect(after[path.slice(at.root.length + 1)]).toBe(before[path.slice(at.root.length + 1)]);
      expect(files.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
      await at.redo();
      expect(await treeOf(at.root)).toEqual(before);
      await at.close();
    }),
    { numRuns: 60 },
  );
}, 60_000);
