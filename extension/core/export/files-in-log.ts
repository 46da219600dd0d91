import type { EventOf, FileState, SessionEvent } from '../../protocol/events.ts';
import { mentionsIn, writeMention } from '../../protocol/mention-text.ts';
import { effectOf } from '../../protocol/tool-names.ts';
import { storedHashOf } from '../checkpoints/blob-names.ts';

/** Absolute paths of files that these events have something of, and what else of the workspace they have. */
export interface NamedFiles {
  /** Versions of them are kept. */
  readonly kept: readonly string[];
  /** They were read, and not changed: what was read stands in a result, or in the recording alone. */
  readonly read: readonly string[];
  /** What they ask of agents stands in what the model was told. */
  readonly instructions: readonly string[];
  /** Mentions, as they are written: what they stood for went with their prompts. */
  readonly mentions: readonly string[];
}

const PATCHED = /^\*\*\* (?:Update|Delete|Add) File: (.+)$/gm;

/** What a session's events have of files, by their paths. */
export class FilesNamed {
  readonly #kept = new Set<string>();
  readonly #read = new Set<string>();
  readonly #instructions = new Set<string>();
  readonly #mentions = new Set<string>();
  /** By call: paths, as it names them. */
  readonly #asked = new Map<string, readonly string[]>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_call' && effectOf(event.name) === 'changes')
      this.#asked.set(event.id, pathsIn(event.input));
    if (event.type === 'tool_result') this.#answer(event);
    if (event.type === 'checkpoint') for (const { path, state } of event.files) this.#keep(path, state);
    if (event.type === 'context' && event.kind === 'instructions')
      addAll(this.#instructions, event.sources ?? []);
    if (event.type === 'user' && event.context) addAll(this.#mentions, mentionedIn(event.content));
    if (event.type !== 'files_changed') return;
    for (const { path, before, after } of event.changes) this.#keep(path, before, after);
  }

  /** In the order of their paths. */
  get names(): NamedFiles {
    const kept = [...this.#kept].sort();
    return {
      kept,
      read: [...this.#read].filter((path) => !this.#kept.has(path)).sort(),
      instructions: [...this.#instructions].sort(),
      mentions: [...this.#mentions].sort(),
    };
  }

  /** To change a file, it is read before anybody is asked. */
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
