import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { mentionsIn, writeMention } from '../../protocol/mention-text.ts';
import { effectOf } from '../../protocol/tool-names.ts';
import { storedHashOf } from '../checkpoints/blob-names.ts';

/**
 * The files (absolute paths) of which these events contain data, and the other data of the workspace in them.
 */
export interface NamedFiles {
  /** Files of which the session has stored versions. */
  readonly kept: readonly string[];
  /** Files that were read and not changed. What was read is in a tool result, or only in the recording. */
  readonly read: readonly string[];
  /** Instruction files whose text is in the context that the model got. */
  readonly instructions: readonly string[];
  /** Mentions as they are written. What they stand for was sent with their prompts. */
  readonly mentions: readonly string[];
}

const PATCHED = /^\*\*\* (?:Update|Delete|Add) File: (.+)$/gm;

/** Collects the files of which a session's events contain data. */
export class FilesNamed {
  readonly #kept = new Set<string>();
  readonly #read = new Set<string>();
  readonly #instructions = new Set<string>();
  readonly #mentions = new Set<string>();
  /** Paths by call id, as the call names them. */
  readonly #asked = new Map<string, readonly string[]>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_call' && effectOf(event.name, event.input) === 'changes')
      this.#asked.set(event.id, pathsIn(event.input));
    if (event.type === 'tool_result') this.#answer(event);
    if (event.type === 'checkpoint') for (const { path, state } of event.files) this.#keep(path, state);
    if (event.type === 'context' && event.kind === 'instructions')
      addAll(this.#instructions, event.sources ?? []);
    if (event.type === 'user' && event.context) addAll(this.#mentions, mentionedIn(event.content));
    if (event.type !== 'files_changed') return;
    for (const { path, before, after } of event.changes) this.#keep(path, before, after);
  }

  /** Sorted by path. */
  get names(): NamedFiles {
    const kept = [...this.#kept].sort();
    return {
      kept,
      read: [...this.#read].filter((path) => !this.#kept.has(path)).sort(),
      instructions: [...this.#instructions].sort(),
      mentions: [...this.#mentions].sort(),
    };
  }

  /** A failed call counts as a read of its files, because Harness reads a file before it asks the user. */
  #answer({ id, isError, seen = {} }: EventOf<'tool_result'>): void {
    addAll(this.#read, Object.keys(seen));
    if (isError) addAll(this.#read, this.#asked.get(id) ?? []);
    this.#asked.delete(id);
  }

  #keep(path: string, ...states: readonly FileState[]): void {
    if (states.some((state) => storedHashOf(state) !== undefined)) this.#kept.add(path);
  }
}

function addAll(names: Set<string>, more: Iterable<string>): void {
  for (const name of more) names.add(name);
}

function pathsIn({ path, source, input }: Readonly<Record<string, unknown>>): readonly string[] {
  const patched = typeof input === 'string' ? [...input.matchAll(PATCHED)].map(([, name]) => name) : [];
  return [path, source, ...patched].filter((name) => typeof name === 'string');
}

function mentionedIn(prompt: string): readonly string[] {
  return mentionsIn(prompt).map(({ name }) => writeMention(name));
}
