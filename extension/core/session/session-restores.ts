import { say } from '../../protocol/say.ts';
import { FileHistory, isThereAndBack } from '../checkpoints/file-history.ts';
import { untrackedChangesSince } from '../checkpoints/restore/notice.ts';
import { planRestore } from '../checkpoints/restore/plan.ts';
import { type RestoreRequest, restoreFiles } from '../checkpoints/restore/restore.ts';
import type { PlannedRestore, RestorePorts } from '../checkpoints/restore/types.ts';
import type { RestoredFile } from '../checkpoints/restored-file.ts';
import type { SessionLog } from '../ports/session-store.ts';
import type { RunContext } from './session-run.ts';

/** Restores the files of one session, one restore at a time. */
export class SessionRestores {
  readonly #log: Pick<SessionLog, 'atWork' | 'blobs'>;
  readonly #place: RunContext;
  #current: Promise<unknown> | undefined;

  constructor(log: SessionLog, place: RunContext) {
    this.#log = log;
    this.#place = place;
  }

  get isOn(): boolean {
    return this.#current !== undefined;
  }

  /** Resolves when no restore is active. */
  async settled(): Promise<void> {
    await this.#current;
  }

  async plan(to: number): Promise<readonly PlannedRestore[]> {
    await this.#place.background?.reportChanges();
    const { events } = this.#place.fold;
    const isThere = to >= 1 && to <= (events.at(-1)?.seq ?? 0);
    if (!isThere) throw new Error(say('This session has no event {0}.', to));
    await this.#place.changes.keepHeld();
    return planRestore(FileHistory.of(events), to, this.#ports);
  }

  /** The caller must wait until no restore is active. */
  async restore(request: Omit<RestoreRequest, 'id'>): Promise<readonly RestoredFile[]> {
    const rest = this.#log.atWork();
    const restored = this.#restore(request);
    this.#current = restored.catch(() => undefined);
    try {
      return await restored;
    } finally {
      rest();
      this.#current = undefined;
    }
  }

  async #restore(request: Omit<RestoreRequest, 'id'>): Promise<readonly RestoredFile[]> {
    const { writer, changes, fold, ports } = this.#place;
    const id = `restore_${(fold.events.at(-1)?.seq ?? 0) + 1}`;
    requireWhole(request, FileHistory.of(fold.events));
    const unknown = untrackedChangesSince(fold.events, request.to);
    const { roots } = ports.workspace;
    return restoreFiles({ ...request, id }, { ...this.#ports, writer, changes, roots, unknown });
  }

  get #ports(): RestorePorts {
    const { files } = this.#place.ports;
    if (!files) throw new Error('no port for files');
    return { files, blobs: this.#log.blobs };
  }
}

/**
 * Throws where the session has changed other paths since the plan was made, because the user has not seen
 * what would become of them.
 */
function requireWhole(
  { to, plan, fork }: Pick<RestoreRequest, 'to' | 'plan' | 'fork'>,
  history: FileHistory,
): void {
  const isConversationAlone = plan.length === 0 && fork !== undefined;
  const planned = new Set(plan.map(({ path }) => path));
  const changed = [...history.changedSince(to)];
  const isWhole = changed.every(([path, changes]) => planned.has(path) || isThereAndBack(changes));
  if (!isWhole && !isConversationAlone)
    throw new Error(
      say('More files have changed in the meantime. Nothing was restored. Start the restore again.'),
    );
}
