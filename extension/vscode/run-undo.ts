// Puts back what a run has changed, from the texts that this window has kept of each change.
import * as vscode from 'vscode';
import type { Preview } from '../core/ports/approver.ts';
import { ABSENT, type Workspace, WorkspaceError } from '../core/ports/workspace.ts';
import { changesOfRuns, type RunChanges } from '../core/session/run-changes.ts';
import { decodeText, encodeText, READ_LIMIT } from '../core/tools/text-file.ts';
import type { SessionManager } from './session-manager.ts';

export interface RunUndoOptions {
  readonly sessions: Pick<SessionManager, 'id' | 'busy' | 'events' | 'note'>;
  readonly workspace: Pick<Workspace, 'read' | 'stat' | 'apply' | 'roots'>;
  /** What a call has changed, as far as it is kept. */
  change(id: string): Preview | undefined;
  /** Deletes a file. */
  remove(path: string): Promise<void>;
}

/** The text of a file (null: there is none) that is put in the place of another one. */
interface Restoration {
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
}

interface Outcome {
  readonly restored: readonly string[];
  /** One sentence for each file or step that is as it was. */
  readonly left: readonly string[];
}

/** Undoes the newest run that changed a file, then the one before it; and does that again. */
export class RunUndo {
  readonly #options: RunUndoOptions;
  /** Of the session `#session`, in the order in which they were undone. */
  #undone: RunChanges[] = [];
  #session = '';

  constructor(options: RunUndoOptions) {
    this.#options = options;
  }

  /** Rejects with what is to be told where nothing could be put back. */
  async undo(): Promise<void> {
    const undone = this.#current();
    const isUndone = ({ turn }: RunChanges) => undone.some((run) => run.turn === turn);
    const runs = changesOfRuns(this.#options.sessions.events).filter((run) => !isUndone(run));
    const run = runs.findLast(({ edits }) => edits.length > 0);
    if (!run)
      throw new Error(
        runs.length > 0 ? ONLY_COMMANDS : vscode.l10n.t('There is no change of a file to undo.'),
      );
    const later = runs.filter(({ turn }) => turn >= run.turn).flatMap(({ others }) => others);
    await this.#restore(run, 'Undone', (change) => change, later);
    this.#undone.push(run);
  }

  /** Rejects with what is to be told where nothing could be done again. */
  async redo(): Promise<void> {
    const run = this.#current().at(-1);
    if (!run) throw new Error(vscode.l10n.t('Nothing was undone in this session.'));
    await this.#restore(run, 'Done again', ({ path, from, to }) => ({ path, from: to, to: from }), []);
    this.#undone.pop();
  }

  #current(): readonly RunChanges[] {
    const { sessions } = this.#options;
    if (sessions.busy)
      throw new Error(vscode.l10n.t('A run is on in this session. Wait until it ends, or stop it.'));
    if (this.#session !== sessions.id) this.#undone = [];
    this.#session = sessions.id;
    return this.#undone;
  }

  async #restore(
    run: RunChanges,
    verb: string,
    direction: (undo: Restoration) => Restoration,
    others: readonly string[],
  ): Promise<void> {
    const kept = run.edits.flatMap((id) => this.#options.change(id) ?? []);
    const lost = run.edits.length - kept.length;
    const { restored, left } = await this.#apply(restorationsOf(kept).map(direction));
    const untouched = [...left, ...(lost > 0 ? [lostSentence(lost)] : []), ...others.map(asCommand)];
    if (restored.length === 0)
      throw new Error(`${vscode.l10n.t('Nothing was put back.')} ${untouched.join(' ')}`);
    const files = restored.join(', ');
    await this.#options.sessions.note(
      [`${verb}: ${files}.`, ...untouched].join(' '),
      `The user has ${verb === 'Undone' ? 'undone' : 'put back'} your last changes to these files: ${files}. Read them again before you edit them.`,
    );
  }

  async #apply(restorations: readonly Restoration[]): Promise<Outcome> {
    const restored: string[] = [];
    const left: string[] = [];
    for (const restoration of restorations) {
      const problem = await this.#replace(restoration).catch(problemOf);
      const name = this.#nameOf(restoration.path);
      if (problem === undefined) restored.push(name);
      else left.push(`${name} was left alone: ${problem}.`);
    }
    return { restored, left };
  }

  /** Undefined when it is done, else why it was not. */
  async #replace({ path, from, to }: Restoration): Promise<string | undefined> {
    const { workspace, remove } = this.#options;
    const content = (await workspace.stat(path)) && (await workspace.read(path, READ_LIMIT));
    const current = content ? decodeText(content.bytes) : null;
    if (current === undefined || (current?.text ?? null) !== from) return 'it was changed since';
    if (to === null) {
      await remove(path);
      return undefined;
    }
    const bytes = encodeText({ text: to, encoding: current?.encoding ?? 'utf-8' });
    if (!bytes) return 'its encoding has no such characters';
    await workspace.apply({ kind: 'write', path, bytes, expect: content?.version ?? ABSENT });
    return undefined;
  }

  #nameOf(path: string): string {
    const root = this.#options.workspace.roots.find((folder) => path.startsWith(`${folder.path}/`));
    return root ? path.slice(root.path.length + 1) : path;
  }
}

const ONLY_COMMANDS = vscode.l10n.t(
  'What was done last were commands or moves, which cannot be undone from here.',
);

/** Of each file its text before the first change and after the last one; the newest file first. */
function restorationsOf(changes: readonly Preview[]): Restoration[] {
  const files = new Map<string, Restoration>();
  for (const { path, before, after } of changes) {
    files.set(path, { path, from: after, to: files.has(path) ? (files.get(path)?.to ?? null) : before });
  }
  return [...files.values()].reverse();
}

function lostSentence(count: number): string {
  const changes = count === 1 ? 'One change was' : `${count} changes were`;
  return `${changes} made before the window was loaded, or too large to be kept, and cannot be undone.`;
}

function asCommand(line: string): string {
  return `Not undone: ${line}.`;
}

function problemOf(error: unknown): string {
  if (!WorkspaceError.is(error)) throw error;
  return error.message;
}
