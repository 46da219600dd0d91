// A session with one file and nothing else: its log, its blobs, and what is "on disk".

import { MemorySessionLog } from '../../extension/core/log/memory-session-log.ts';
import { ManualClock } from '../../extension/core/ports/testing/manual-clock.ts';
import { MemoryBlobStore } from '../../extension/core/ports/testing/memory-blob-store.ts';
import type { CurrentFile } from '../../extension/core/review/current-file.ts';
import {
  acceptedLines,
  type FileReview,
  type Outcome,
  withoutLines,
} from '../../extension/core/review/file-review.ts';
import { SessionReview } from '../../extension/core/review/session-review.ts';
import type { EventDraft, FileChange, FileState, SessionEvent } from '../../extension/protocol/events.ts';

export const PATH = '/repo/file.txt';
export type Text = string | undefined;

export class ReviewPlace {
  readonly blobs = new MemoryBlobStore();
  readonly events: SessionEvent[] = [];
  readonly #log = new MemorySessionLog('s', new ManualClock());
  #review = this.#newReview();
  text: Text;
  /** How often the bytes of an earlier state were read. */
  reads = 0;
  #calls = 0;

  constructor(text: Text) {
    this.text = text;
  }

  async stateOf(text: Text, mode = 0o644): Promise<FileState> {
    if (text === undefined) return { kind: 'absent' };
    const bytes = new TextEncoder().encode(text);
    return { kind: 'file', hash: await this.blobs.put(bytes), size: bytes.length, mode };
  }

  async log(...drafts: EventDraft[]): Promise<void> {
    const events = await this.#log.append(drafts);
    this.events.push(...events);
    this.#review.apply(events);
  }

  async agent(text: Text): Promise<void> {
    await this.#change(`call${++this.#calls}`, 'tool', text);
  }

  async restore(text: Text): Promise<void> {
    await this.#change('restore', 'restore', text);
  }

  /** A call has moved a file with this text. */
  async move(from: string, to: string, text: string): Promise<void> {
    const [absent, file] = [await this.stateOf(undefined), await this.stateOf(text)];
    await this.change([
      { path: from, before: file, after: absent },
      { path: to, before: absent, after: file },
    ]);
  }

  /** Files were changed by one call. */
  async change(changes: readonly FileChange[]): Promise<void> {
    await this.log({ type: 'files_changed', id: `call${++this.#calls}`, by: 'tool', changes: [...changes] });
  }

  reviewOf(path: string, state: FileState): Promise<FileReview | undefined> {
    const look = async (each: string): Promise<CurrentFile> => ({
      state: each === path ? state : { kind: 'absent' },
    });
    return this.#review.file(path, look);
  }

  async review(): Promise<FileReview> {
    const review = await this.reviewOf(PATH, await this.stateOf(this.text));
    if (!review) throw new Error('never changed');
    return review;
  }

  /** As another window reads it from the log. */
  async reread(): Promise<FileReview> {
    this.#review = this.#newReview();
    this.#review.apply(this.events);
    return this.review();
  }

  async accept(ids: ReadonlySet<string>): Promise<void> {
    const base = await this.#stateOf(acceptedLines(await this.review(), ids));
    await this.log({
      type: 'reviewed',
      path: PATH,
      base,
      now: await this.stateOf(this.text),
      lines: [...ids],
    });
  }

  async reject(ids: ReadonlySet<string>): Promise<void> {
    await this.#change('review', 'review', textOf(withoutLines(await this.review(), ids)), [...ids]);
  }

  #newReview(): SessionReview {
    return new SessionReview({
      get: (hash) => {
        this.reads += 1;
        return this.blobs.get(hash);
      },
    });
  }

  async #stateOf(outcome: Outcome): Promise<FileState> {
    return this.stateOf(textOf(outcome));
  }

  async #change(id: string, by: 'tool' | 'restore' | 'review', text: Text, lines?: string[]): Promise<void> {
    const [before, after] = [await this.stateOf(this.text), await this.stateOf(text)];
    const changes = [{ path: PATH, before, after }];
    await this.log({ type: 'files_changed', id, by, changes, ...(lines && { lines }) });
    this.text = text;
  }
}

export function textOf({ state, bytes }: Outcome): Text {
  return state.kind === 'absent' ? undefined : new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
