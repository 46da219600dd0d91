import type { FileState, SessionEvent } from '../../protocol/events.ts';
import { mentionsIn, writeMention } from '../../protocol/mention-text.ts';
import { hashOfKept } from './named-blobs.ts';

/** Absolute paths of files that these events have something of, and what else of the workspace they have. */
export interface NamedFiles {
  /** Versions of them are kept. */
  readonly kept: readonly string[];
  /** They were read, and not changed: what was read stands in a result, and in the recording. */
  readonly read: readonly string[];
  /** What they ask of agents stands in what the model was told. */
  readonly instructions: readonly string[];
  /** Mentions, as they are written: what they stood for went with their prompts. */
  readonly mentions: readonly string[];
}

/** What a session's events have of files, by their paths. */
export class FilesNamed {
  readonly #kept = new Set<string>();
  readonly #read = new Set<string>();
  readonly #instructions = new Set<string>();
  readonly #mentions = new Set<string>();

  apply(event: SessionEvent): void {
    if (event.type === 'tool_result') addAll(this.#read, Object.keys(event.seen ?? {}));
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

  #keep(path: string, ...states: readonly FileState[]): void {
    if (states.some((state) => hashOfKept(state) !== undefined)) this.#kept.add(path);
  }
}

function addAll(names: Set<string>, more: Iterable<string>): void {
  for (const name of more) names.add(name);
}

function mentionedIn(prompt: string): readonly string[] {
  return mentionsIn(prompt).map(({ name }) => writeMention(name));
}
