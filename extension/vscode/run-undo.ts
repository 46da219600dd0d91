// Puts back what a run has changed, from the texts that this window has kept of each change.
import * as vscode from 'vscode';
import type { Preview } from '../core/ports/approver.ts';
import { changesOfRuns, type RunChanges } from '../core/session/run-changes.ts';
import { type Restoration, type RestoringPorts, restorationsOf, restore } from './restoration.ts';
import type { SessionManager } from './session-manager.ts';

export interface RunUndoOptions extends RestoringPorts {
  /** What a call of a session has changed, as far as it is kept. */
  change(session: string, id: string): Preview | undefined;
}

/** The session whose runs are undone. */
export type UndoneSession = Pick<SessionManager, 'id' | 'busy' | 'events' | 'note'>;

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
    if (!run)
      throw new Error(
        runs.length > 0 ? ONLY_COMMANDS : vscode.l10n.t('There is no change of a file to undo.'),
      );
    const later = runs.filter(({ turn }) => turn >= run.turn).flatMap(({ others }) => others);
    await this.#restore(session, run, 'Undone', (change) => change, later);
    this.#undone.set(session.id, [...undone, run]);
  }

  /** Rejects with what is to be told where nothing could be done again. */
  async redo(session: UndoneSession): Promise<void> {
    const undone = this.#undoneOf(session);
    const run = undone.at(-1);
    if (!run) throw new Error(vscode.l10n.t('Nothing was undone in this session.'));
    await this.#restore(
      session,
      run,
      'Done again',
      ({ path, from, to }) => ({ path, from: to, to: from }),
      [],
    );
    this.#undone.set(session.id, undone.slice(0, -1));
  }

  #undoneOf({ id, busy }: UndoneSession): readonly RunChanges[] {
    if (busy) throw new Error(vscode.l10n.t('A run is on in this session. Wait until it ends, or stop it.'));
    return this.#undone.get(id) ?? [];
  }

  async #restore(
    session: UndoneSession,
    run: RunChanges,
    verb: string,
    direction: (undo: Restoration) => Restoration,
    others: readonly string[],
  ): Promise<void> {
    const kept = run.edits.flatMap((id) => this.#options.change(session.id, id) ?? []);
    const lost = run.edits.length - kept.length;
    const { restored, left } = await restore(restorationsOf(kept).map(direction), this.#options);
    const untouched = [...left, ...(lost > 0 ? [lostSentence(lost)] : []), ...others.map(asCommand)];
    if (restored.length === 0)
      throw new Error(`${vscode.l10n.t('Nothing was put back.')} ${untouched.join(' ')}`);
    const files = restored.join(', ');
    await session.note(
      [`${verb}: ${files}.`, ...untouched].join(' '),
      `The user has ${verb === 'Undone' ? 'undone' : 'put back'} your last changes to these files: ${files}. Read them again before you edit them.`,
    );
  }
}

const ONLY_COMMANDS = vscode.l10n.t(
  'What was done last were commands or moves, which cannot be undone from here.',
);

function lostSentence(count: number): string {
  const changes = count === 1 ? 'One change was' : `${count} changes were`;
  return `${changes} made before the window was loaded, or too large to be kept, and cannot be undone.`;
}

function asCommand(line: string): string {
  return `Not undone: ${line}.`;
}
