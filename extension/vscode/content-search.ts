import { searchSessions } from '../node/search-sessions.ts';

/** Milliseconds without a key after which the search begins. */
const PAUSE_MS = 200;
/** Characters, and sessions found. */
const SHORTEST_QUERY = 2;
const MOST_SESSIONS = 200;

/** Looks for what somebody types in the contents of the sessions. */
export class ContentSearch {
  readonly #root: string;
  readonly #onChange: () => void;
  readonly #lines = new Map<string, string>();
  #search = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `root` is the folder of all sessions. `onChange` is called whenever there is another result, and at the end. */
  constructor(root: string, onChange: () => void) {
    this.#root = root;
    this.#onChange = onChange;
  }

  get isRunning(): boolean {
    return this.#timer !== undefined;
  }

  /** The line of a session that says what is looked for; empty where none was found. */
  lineOf(id: string): string {
    return this.#lines.get(id) ?? '';
  }

  /** The end of the search before. */
  look(query: string): void {
    this.stop();
    this.#lines.clear();
    this.#onChange();
    if (query.trim().length < SHORTEST_QUERY) return;
    const { signal } = this.#search;
    this.#timer = setTimeout(() => void this.#run(query, signal), PAUSE_MS);
  }

  stop(): void {
    this.#search.abort();
    this.#search = new AbortController();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #run(query: string, signal: AbortSignal): Promise<void> {
    for await (const { id, line } of searchSessions(this.#root, query, signal)) {
      if (signal.aborted) return;
      this.#lines.set(id, line);
      this.#onChange();
      if (this.#lines.size >= MOST_SESSIONS) break;
    }
    if (signal.aborted) return;
    this.#timer = undefined;
    this.#onChange();
  }
}
