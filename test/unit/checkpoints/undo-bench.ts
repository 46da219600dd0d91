// A workspace, a log of what calls and commands have changed in it, and what its files were meanwhile.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ChangeTracker } from '../../../extension/core/checkpoints/change-tracker.ts';
import { FileHistory } from '../../../extension/core/checkpoints/file-history.ts';
import { planRestore } from '../../../extension/core/checkpoints/restore/plan.ts';
import { restoreFiles } from '../../../extension/core/checkpoints/restore/restore.ts';
import type { PlannedRestore } from '../../../extension/core/checkpoints/restore/types.ts';
import type { RestoredFile } from '../../../extension/core/checkpoints/restored-file.ts';
import { undoStackOf } from '../../../extension/core/checkpoints/undo-stack.ts';
import { LogWriter } from '../../../extension/core/log/log-writer.ts';
import { MemorySessionLog } from '../../../extension/core/log/memory-session-log.ts';
import { ManualClock } from '../../../extension/core/ports/testing/manual-clock.ts';
import { guardedFiles } from '../../../extension/node/fs/guarded-files.ts';
import { nodeFileTree } from '../../../extension/node/fs/node-file-tree.ts';
import { NodeWorkspaceScan } from '../../../extension/node/scan/node-workspace-scan.ts';
import type { SessionEvent } from '../../../extension/protocol/events.ts';
import { type Tree, treeOf } from '../../support/tree-of.ts';
import { type Act, perform, putLine } from './undo-acts.ts';

export interface Point {
  /** The last event then. */
  readonly seq: number;
  readonly tree: Tree;
}

export class Bench {
  readonly root: string;
  readonly events: SessionEvent[] = [];
  /** Before each act, and now. */
  readonly points: Point[] = [];
  /** What an act has changed without a word of it in the log. */
  readonly untold: string[] = [];
  /** What the user has put somewhere. */
  readonly mine: string[] = [];
  readonly #log = new MemorySessionLog('session', new ManualClock());
  readonly #writer = new LogWriter(this.#log, { warn: () => {}, error: () => {} });
  readonly #ports;
  readonly #tracker: ChangeTracker;
  readonly #scan: NodeWorkspaceScan;

  static async open(): Promise<Bench> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'harness-undo-')));
    const root = join(folder, 'workspace');
    await mkdir(join(root, 'd/e'), { recursive: true });
    await writeFile(join(root, 'a'), 'one\r\ntwo\r\n');
    await writeFile(join(root, 'd/x'), Buffer.from([0, 1, 2]));
    await writeFile(join(root, 'd/e/z'), 'deep\n');
    const bench = new Bench(root);
    await bench.#stand();
    return bench;
  }

  private constructor(root: string) {
    this.root = root;
    this.#ports = { files: guardedFiles(nodeFileTree, () => [root]), blobs: this.#log.blobs };
    this.events.push(...this.#log.past);
    this.#writer.subscribe({ onEvents: (events) => this.events.push(...events) });
    this.#scan = new NodeWorkspaceScan({ roots: () => [root], home: join(dirname(root), 'home') });
    this.#tracker = new ChangeTracker({ ...this.#ports, scan: this.#scan });
  }

  async close(): Promise<void> {
    await this.#scan.close();
    const folder = dirname(this.root);
    await promisify(execFile)('chmod', ['-R', 'u+rwx', folder]);
    await rm(folder, { recursive: true });
  }

  get tree(): Promise<Tree> {
    return treeOf(this.root);
  }

  async act(wanted: Act): Promise<void> {
    if (wanted.by === 'user') await this.#edit(wanted);
    else await this.#track(wanted);
    await this.#stand();
  }

  /** Sequence number of the newest event. */
  get end(): number {
    return this.events.at(-1)?.seq ?? 0;
  }

  async #stand(): Promise<void> {
    this.points.push({ seq: this.end, tree: await this.tree });
  }

  async #track(wanted: Act): Promise<void> {
    const paths = [wanted.path, wanted.other].map((name) => join(this.root, name));
    const { signal } = new AbortController();
    const tracked = await this.#tracker.begin(wanted.by === 'call' ? paths : 'workspace', { signal });
    await perform(this.root, wanted);
    const { changes, uncovered } = await tracked.changes();
    if (uncovered === undefined) await this.#noteUntold(new Set(changes.map(({ path }) => path)));
    if (changes.length === 0 && uncovered === undefined) return;
    const told = uncovered !== undefined && { uncovered };
    await this.#writer.append({
      type: 'files_changed',
      id: 'call',
      by: 'tool',
      changes: [...changes],
      ...told,
    });
  }

  async #noteUntold(told: ReadonlySet<string>): Promise<void> {
    const before = this.points.at(-1)?.tree ?? {};
    const after = await this.tree;
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)]))
      if (before[name] !== after[name] && !told.has(join(this.root, name))) this.untold.push(name);
  }

  async #edit(wanted: Act): Promise<void> {
    if (wanted.kind !== 'line') return perform(this.root, wanted);
    const put = await putLine(join(this.root, wanted.path), `mine ${this.mine.length}.`);
    if (put !== undefined) this.mine.push(put);
  }

  /** By their names in the tree. With `isForced` the user wants the version of then wherever they are asked. */
  async restore(
    to: number,
    { redoes, isForced = false }: { readonly redoes?: string; readonly isForced?: boolean } = {},
  ): Promise<ReadonlyMap<string, RestoredFile>> {
    const plan = await planRestore(FileHistory.of(this.events), to, this.#ports);
    const ports = {
      ...this.#ports,
      writer: this.#writer,
      changes: this.#tracker,
      roots: [],
      unknown: [],
    };
    const id = `restore_${this.events.length}`;
    const isAsked = ({ step }: PlannedRestore) => step.kind === 'conflict' || step.kind === 'merge';
    const asked = isForced ? plan.filter(isAsked) : [];
    const choices = new Map(asked.map(({ path }) => [path, 'restore' as const]));
    const files = await restoreFiles({ id, to, plan, choices, redoes }, ports);
    return new Map(files.map((file) => [file.path.slice(this.root.length + 1), file]));
  }

  async redo(): Promise<void> {
    const { redo } = undoStackOf(this.events);
    if (redo) await this.restore(redo.to, { redoes: redo.restored.id });
  }

  /** What the files were when the session first changed `name` behind event `seq`. */
  treeBefore(name: string, seq: number): Tree | undefined {
    const path = join(this.root, name);
    const first = this.events.find(
      (event) =>
        event.seq > seq &&
        event.type === 'files_changed' &&
        event.changes.some((change) => change.path === path),
    );
    return this.points.findLast((point) => first !== undefined && point.seq < first.seq)?.tree;
  }
}
