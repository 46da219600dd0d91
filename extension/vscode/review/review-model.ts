import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { DisplayedSession } from '../../app/sessions/displayed-session.ts';
import type { OpenSession } from '../../app/sessions/open-session.ts';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import type { SessionRegistry } from '../../app/sessions/session-registry.ts';
import { Mutex } from '../../core/base/mutex.ts';
import type { BlobStore } from '../../core/ports/blob-store.ts';
import type { FileTree } from '../../core/ports/file-tree.ts';
import type { Workspace } from '../../core/ports/workspace.ts';
import type { WorkspaceScan } from '../../core/ports/workspace-scan.ts';
import type { DecisionPorts } from '../../core/review/apply-rejection.ts';
import { type CallPlace, CallPlaces } from '../../core/review/call-sites.ts';
import { readCurrentFile } from '../../core/review/current-file.ts';
import { acceptChanges, rejectChanges } from '../../core/review/decide.ts';
import { type FileReview, idsOf } from '../../core/review/file-review.ts';
import { SessionReview } from '../../core/review/session-review.ts';
import { createIgnoreCheck } from '../../node/search/ignore-rules.ts';
import { systemClock } from '../../node/system-clock.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { say } from '../../protocol/say.ts';
import { effectOf } from '../../protocol/tool-names.ts';
import { TouchedFiles } from './changed-files.ts';

/** Pending lines of one file; without `ids`, all of them. */
export interface ReviewChoice {
  readonly path: string;
  readonly ids?: ReadonlySet<string> | undefined;
}

export interface ReviewModelOptions {
  blobs(session: string): BlobStore;
  readonly open: Pick<SessionRegistry, 'hold' | 'release'>;
  readonly files: FileTree;
  readonly workspace: Workspace;
  readonly scan: WorkspaceScan;
  readonly warn: (problem: string) => void;
}

/** The pending changes of the session that a panel shows. Follows the session's log and the files. */
export class ReviewModel implements vscode.Disposable {
  readonly #options: ReviewModelOptions;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the visible pending changes differ from before. */
  readonly onDidChange = this.#changed.event;
  readonly files: TouchedFiles;
  readonly #disposables: vscode.Disposable[];
  #sessions: SessionController | undefined;
  #following: readonly vscode.Disposable[] = [];
  #review: SessionReview | undefined;
  #places = new CallPlaces();
  #session = '';
  #seq = 0;
  /** By path; only files with pending changes. */
  #reviews = new Map<string, FileReview>();
  readonly #stale = new Set<string>();
  readonly #turns = new Mutex();
  readonly #present = (path: string) => readCurrentFile(this.#options.files, path);

  constructor(options: ReviewModelOptions) {
    this.#options = options;
    this.files = new TouchedFiles({
      knows: (path) => this.#review?.has(path) ?? false,
      onTyped: (path) => this.#stale.add(path),
      onTouched: (path) => this.#touch([path]),
    });
    this.#disposables = [this.#changed, this.files, { dispose: () => this.#unfollow() }];
  }

  /** Switches to the session that this panel shows. */
  follow(sessions: SessionController): void {
    if (this.follows(sessions)) return;
    this.#unfollow();
    this.#sessions = sessions;
    const { shown } = sessions;
    const undo = shown.subscribe({ onEvents: (events) => this.#apply(events) });
    this.#following = [shown.onDidChange(() => this.#begin()), { dispose: undo }];
    this.#begin();
  }

  follows(sessions: SessionController): boolean {
    return sessions === this.#sessions;
  }

  /** Loads a long session completely. */
  async readWhole(): Promise<void> {
    await this.#sessions?.whole();
  }

  /** Sorted by path. */
  get pending(): readonly FileReview[] {
    return [...this.#reviews.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** The review of the current file; undefined if the session never changed it. */
  async file(path: string): Promise<FileReview | undefined> {
    if (!this.#review?.has(path)) return undefined;
    return this.#review.file(path, this.#present);
  }

  /** The call that made event `seq`. */
  placeOf(seq: number): CallPlace | undefined {
    return this.#places.of(seq);
  }

  /** Resolves after the model has processed all events so far. */
  async settle(): Promise<void> {
    await this.#turns.take(() => this.#refresh());
  }

  accept(choices: readonly ReviewChoice[]): Promise<void> {
    return this.#decide(choices, async (ports, about) => {
      const problems: string[] = [];
      for (const choice of choices)
        await this.#chosen(about, choice)
          .then((chosen) => acceptChanges(ports, chosen))
          .catch((error: Error) => problems.push(error.message));
      if (problems.length > 0) throw new Error(problems.join('\n'));
    });
  }

  reject(choices: readonly ReviewChoice[]): Promise<void> {
    return this.#decide(choices, async (ports, about) => {
      const chosen = [];
      for (const choice of choices) chosen.push(await this.#chosen(about, choice));
      await rejectChanges(ports, about.rejected(chosen));
    });
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }

  async #chosen(about: SessionReview, { path, ids }: ReviewChoice) {
    const review = about.has(path) ? await about.file(path, this.#present) : undefined;
    if (review) return { review, ids };
    throw new Error(
      say('{0} has changed in the meantime. Nothing was accepted or rejected. Review it again.', path),
    );
  }

  /** Runs one decision at a time, each from the result of the last one. Refreshes even after a refusal. */
  async #decide(
    choices: readonly ReviewChoice[],
    decide: (ports: DecisionPorts, about: SessionReview) => Promise<void>,
  ): Promise<void> {
    const asked = this.#session;
    await this.readWhole();
    const about = this.#review;
    try {
      await this.#turns.take(async () => {
        if (!about || asked !== this.#session || about !== this.#review)
          throw new Error(say('Another session is shown now. Nothing was accepted or rejected.'));
        await this.#inSession(asked, (ports) => decide(ports, about));
      });
    } finally {
      this.#touch(choices.map(({ path }) => path));
      await this.settle();
    }
  }

  async #inSession(id: string, decide: (ports: DecisionPorts) => Promise<void>): Promise<void> {
    const session = await this.#options.open.hold(id);
    try {
      await decide(this.#ports(session));
    } finally {
      await this.#options.open.release(session);
    }
  }

  #ports(session: OpenSession): DecisionPorts {
    const { files, workspace, scan, blobs } = this.#options;
    return {
      files,
      workspace,
      scan,
      blobs: blobs(session.id),
      clock: systemClock,
      record: (...drafts) => session.core.record(...drafts),
      newId: randomUUID,
    };
  }

  #unfollow(): void {
    for (const following of this.#following) following.dispose();
    this.#following = [];
  }

  #begin(): void {
    const { id, log } = this.#shown;
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

  /** A replayed recording has no pending changes. */
  get #shown(): Pick<DisplayedSession, 'id'> & { readonly log: Pick<DisplayedSession['log'], 'events'> } {
    const shown = this.#sessions?.shown;
    return shown && !shown.isReplay ? shown : { id: '', log: { events: [] } };
  }

  #apply(events: readonly SessionEvent[]): void {
    const fresh = events.filter(({ seq }) => seq > this.#seq);
    this.#seq = fresh.at(-1)?.seq ?? this.#seq;
    this.#review?.apply(fresh);
    for (const event of fresh) this.#places.apply(event);
    this.#touch(fresh.flatMap(pathsIn));
  }

  #touch(paths: readonly string[]): void {
    const known = paths.flatMap((path) => this.#review?.concernedBy(path) ?? []);
    for (const path of known) this.#stale.add(path);
    if (known.length > 0) void this.settle();
  }

  async #refresh(): Promise<void> {
    if (this.#stale.size === 0) return;
    const paths = [...this.#stale];
    this.#stale.clear();
    const reviews = this.#reviews;
    const isIgnored = createIgnoreCheck();
    const before = new Map(paths.map((path) => [path, reviews.get(path)]));
    for (const path of paths) {
      const isOutput = this.#isByCommands(path) && (await isIgnored(path));
      const review = isOutput ? undefined : await this.#look(path);
      if (review?.isPending) reviews.set(path, review);
      else reviews.delete(path);
    }
    const isOther = paths.some((path) => shownOf(before.get(path)) !== shownOf(reviews.get(path)));
    if (isOther && reviews === this.#reviews) this.#changed.fire();
  }

  async #look(path: string): Promise<FileReview | undefined> {
    try {
      return await this.file(path);
    } catch (error) {
      this.#options.warn(`${path}: ${String(error)}`);
      return undefined;
    }
  }

  /** If only commands changed an ignored path, it is output that nobody reviews. */
  #isByCommands(path: string): boolean {
    return (
      this.#review?.changedAt(path).every((seq) => effectOf(this.placeOf(seq)?.tool ?? '') === 'runs') ??
      false
    );
  }
}

/** Serializes the visible parts of a review, for comparison. */
function shownOf(review: FileReview | undefined): string {
  if (!review) return '';
  const { base, now, from, isPending, hunks } = review;
  const shown = hunks.map(({ nowLine, cells }) => [nowLine, ...idsOf(cells)]);
  return JSON.stringify([base.state, now.state, from, isPending, shown]);
}

function pathsIn(event: SessionEvent): string[] {
  if (event.type === 'reviewed') return [event.path];
  return event.type === 'files_changed' ? event.changes.map(({ path }) => path) : [];
}
