// Puts back what a run has changed, from the texts that this window has kept of each change.
import type { Preview } from '../core/ports/approver.ts';
import { changesOfRuns, type RunChanges } from '../core/session/run-changes.ts';
import type { SessionEvent } from '../protocol/events.ts';
import { say } from '../protocol/say.ts';
import { type Restoration, type RestoringPorts, restorationsOf, restore } from './restoration.ts';

export interface RunUndoOptions extends RestoringPorts {
  /** What a call of a session has changed, of each file; nothing where that is not kept. */
  changes(session: string, id: string): readonly Preview[];
}

/** The session whose runs are undone. */
export interface UndoneSession {
  readonly id: string;
  readonly busy: boolean;
  readonly events: readonly SessionEvent[];
  /** Writes a remark into the log, of which the model is told `toModel`. */
  note(message: string, toModel: string): Promise<void>;
}

/** Undoes the newest run of a session that changed a file, then the one before it; and does that again. */
export class RunUndo {
  readonly #options: RunUndoOptions;
  /** Of each session, whichever panel shows it, in the order in which they were undone. */
  readonly #undone = new Map<string, RunChanges[]>();

  constructor(options: RunUndoOptions) {
    this.#options = options;
  }

  /** Rejects with what is to be told where nothing could be put back. */
  async undo(session: UndoneSession): Promise<void> {
    const undone = this.#undoneOf(session);
    const isUndone = ({ turn }: RunChanges) => undone.some((run) => run.turn === turn);
    const runs = changesOfRuns(session.events).filter((run) => !isUndone(run));
    const run = runs.findLast(({ edits }) => edits.length > 0);
    if (!run) throw new Error(runs.length > 0 ? ONLY_COMMANDS : say('There is no change of a file to undo.'));
    const later = runs.filter(({ turn }) => turn >= run.turn).flatMap(({ others }) => others);
    await this.#restore(session, run, later, UNDO);
    this.#undone.set(session.id, [...undone, run]);
  }

  /** Rejects with what is to be told where nothing could be done again. */
  async redo(session: UndoneSession): Promise<void> {
    const undone = this.#undoneOf(session);
    const run = undone.at(-1);
    if (!run) throw new Error(say('Nothing was undone in this session.'));
    await this.#restore(session, run, [], REDO);
    this.#undone.set(session.id, undone.slice(0, -1));
  }

  #undoneOf({ id, busy }: UndoneSession): readonly RunChanges[] {
    if (busy) throw new Error(say('A run is on in this session. Wait until it ends, or stop it.'));
    return this.#undone.get(id) ?? [];
  }

  async #restore(
    session: UndoneSession,
    run: RunChanges,
    others: readonly string[],
    { direction, told, verb }: Direction,
  ): Promise<void> {
    const changes = run.edits.map((id) => this.#options.changes(session.id, id));
    const lost = changes.filter(({ length }) => length === 0).length;
    const { restored, left } = await restore(restorationsOf(changes.flat()).map(direction), this.#options);
    const untouched = [...left, ...(lost > 0 ? [lostSentence(lost)] : []), ...others.map(asCommand)];
    if (restored.length === 0) throw new Error([say('Nothing was put back.'), ...untouched].join('\n'));
    const files = restored.join(', ');
    const toModel = `The user has ${verb} your last changes to these files: ${files}. Read them again before you edit them.`;
    await session.note([told(files), ...untouched].join('\n'), toModel);
  }
}

const ONLY_COMMANDS = say('What was done last were commands or moves, which cannot be undone from here.');

interface Direction {
  readonly direction: (undo: Restoration) => Restoration;
  /** For the reader. */
  readonly told: (files: string) => string;
  /** For the model: what the user has done to its changes. */
  readonly verb: string;
}

const UNDO: Direction = {
  direction: (change) => change,
  told: (files) => say('Undone: {0}.', files),
  verb: 'undone',
};

const REDO: Direction = {
  direction: ({ path, from, to }) => ({ path, from: to, to: from }),
  told: (files) => say('Done again: {0}.', files),
  verb: 'put back',
};

function lostSentence(count: number): string {
  return count === 1
    ? say('One change was made before the window was loaded, or too large to be kept, and cannot be undone.')
    : say(
        '{0} changes were made before the window was loaded, or too large to be kept, and cannot be undone.',
        count,
      );
}

function asCommand(line: string): string {
  return say('Not undone: {0}.', line);
}
