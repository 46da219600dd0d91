import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { BlobStore } from '../../core/ports/blob-store.ts';
import type { FileTree } from '../../core/ports/file-tree.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import { type CallPlace, CallPlaces } from '../../core/review/call-places.ts';
import { acceptChanges, type DecisionPorts, rejectChanges } from '../../core/review/decide.ts';
import type { FileReview } from '../../core/review/file-review.ts';
import { presentFile } from '../../core/review/present-file.ts';
import { SessionReview } from '../../core/review/session-review.ts';
import { createIgnoreCheck } from '../../node/ignore-check.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import type { OpenSession } from '../open-session.ts';
import type { OpenSessions } from '../open-sessions.ts';
import type { SessionManager } from '../session-manager.ts';

/** Milliseconds after the last key before the lines of a file are told apart again. */
const TYPING = 200;

/** Pending lines of one file; all that is pending of it without `ids`. */
export interface Choice {
  readonly path: string;
  readonly ids?: ReadonlySet<string> | undefined;
}

export interface ReviewModelOptions {
  blobs(session: string): BlobStore;
  readonly open: Pick<OpenSessions, 'hold' | 'release'>;
  readonly files: FileTree;
  readonly workspace: Workspace;
  readonly warn: (problem: string) => void;
}

/** What is pending in the session that a panel shows, kept up to date with its log and with the files. */
export class ReviewModel implements vscode.Disposable {
  readonly #options: ReviewModelOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Something is pending that was not, or no longer. */
  readonly onDidChange = this.#changed.event;
  readonly #disposables: vscode.Disposable[];
  #sessions: SessionManager | undefined;
  #following: readonly vscode.Disposable[] = [];
  #review: SessionReview | undefined;
  #places = new CallPlaces();
  #session = '';
  #seq = 0;
  #reviews = new Map<string, FileReview>();
  readonly #stale = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #typing: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ReviewModelOptions) {
    this.#options = options;
    const watcher = vscode.workspace.createFileSystemWatcher('**/*');
    const touch = ({ fsPath }: vscode.Uri) => this.#touch([fsPath]);
    this.#disposables = [
      this.#changed,
      watcher,
      watcher.onDidChange(touch),
      watcher.onDidCreate(touch),
      watcher.onDidDelete(touch),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.#typed(document.uri.fsPath)),
      { dispose: () => clearTimeout(this.#typing) },
      { dispose: () => this.#unfollow() },
    ];
  }

  /** From now on it is about the session that this panel shows. */
  follow(sessions: SessionManager): void {
    if (sessions === this.#sessions) return;
    this.#unfollow();
    this.#sessions = sessions;
    const { shown } = sessions;
    const undo = shown.subscribe({ onEvents: (events) => this.#apply(events) });
    this.#following = [shown.onDidChange(() => this.#begin()), { dispose: undo }];
    this.#begin();
  }

  /** Reads the whole of a long session. */
  async readWhole(): Promise<void> {
    await this.#sessions?.whole();
  }

  /** In the order of the files' paths. */
  get pending(): readonly FileReview[] {
    const pending = [...this.#reviews.values()].filter(({ isPending }) => isPending);
    return pending.sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** As the file is now; undefined where the session has never changed it. */
  async file(path: string): Promise<FileReview | undefined> {
    if (!this.#review?.has(path)) return undefined;
    return this.#review.file(path, await presentFile(this.#options.files, path));
  }

  /** Who is behind event `seq`. */
  placeOf(seq: number): CallPlace | undefined {
    return this.#places.of(seq);
  }

  /** Resolves when everything that has happened so far is taken into account. */
  async settle(): Promise<void> {
    await this.#inTurn(() => this.#refresh());
  }

  accept(choices: readonly Choice[]): Promise<void> {
    return this.#decide(async (ports) => {
      for (const choice of choices) await acceptChanges(ports, await this.#chosen(choice));
    });
  }

  reject(choices: readonly Choice[]): Promise<void> {
    return this.#decide(async (ports) => {
      const chosen = [];
      for (const choice of choices) chosen.push(await this.#chosen(choice));
      await rejectChanges(ports, chosen);
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #chosen({ path, ids }: Choice) {
    const review = await this.file(path);
    if (review) return { review, ids, made: this.#review?.madeAbove(path) };
    throw new Error(say('{0} has changed since. Nothing was decided: look at it again.', path));
  }

  /** One decision after the other: each is about what the one before it has left. */
  async #decide(decide: (ports: DecisionPorts) => Promise<void>): Promise<void> {
    await this.readWhole();
    await this.#inTurn(async () => {
      const session = await this.#options.open.hold(this.#session);
      try {
        await decide(this.#ports(session));
      } finally {
        await this.#options.open.release(session);
      }
    });
    await this.settle();
  }

  #ports(session: OpenSession): DecisionPorts {
    const { files, workspace, blobs } = this.#options;
    return {
      files,
      workspace,
      blobs: blobs(session.id),
      record: (...drafts) => session.record(...drafts),
      newId: randomUUID,
    };
  }

  #unfollow(): void {
    for (const following of this.#following) following.dispose();
    this.#following = [];
  }

  #begin(): void {
    const { id, log } = this.#sessions?.shown ?? { id: '', log: { events: [] } };
    if (id !== this.#session || this.#seq > (log.events.at(-1)?.seq ?? 0)) {
      this.#session = id;
      this.#review = id === '' ? undefined : new SessionReview(this.#options.blobs(id));
      this.#places = new CallPlaces();
      this.#seq = 0;
      this.#reviews = new Map();
      this.#stale.clear();
    }
    this.#apply(log.events);
    this.#changed.fire();
  }

  #apply(events: readonly SessionEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > this.#seq);
    this.#seq = fresh.at(-1)?.seq ?? this.#seq;
    this.#review?.apply(fresh);
    for (const event of fresh) this.#places.apply(event);
    this.#touch(fresh.flatMap(pathsIn));
  }

  #typed(path: string): void {
    if (!this.#reviews.has(path)) return;
    clearTimeout(this.#typing);
    this.#stale.add(path);
    this.#typing = setTimeout(() => this.#touch([path]), TYPING);
  }

  #touch(paths: readonly string[]): void {
    const known = paths.filter((path) => this.#review?.has(path));
    for (const path of known) this.#stale.add(path);
    if (known.length > 0) void this.settle();
  }

  async #refresh(): Promise<void> {
    const paths = [...this.#stale];
    this.#stale.clear();
    const reviews = this.#reviews;
    const isIgnored = createIgnoreCheck();
    for (const path of paths) {
      if (this.#isByCommands(path) && (await isIgnored(path))) continue;
      const review = await this.file(path).catch((error: unknown) =>
        this.#options.warn(`${path}: ${String(error)}`),
      );
      if (review) reviews.set(path, review);
      else reviews.delete(path);
    }
    if (paths.length > 0 && reviews === this.#reviews) this.#changed.fire();
  }

  /** Then, where it is ignored too, it is output that nobody reviews. */
  #isByCommands(path: string): boolean {
    return this.#review?.changedAt(path).every((seq) => this.placeOf(seq)?.tool === 'bash') ?? false;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

function pathsIn(event: SessionEvent): string[] {
  if (event.type === 'reviewed') return [event.path];
  return event.type === 'files_changed' ? event.changes.map(({ path }) => path) : [];
}
