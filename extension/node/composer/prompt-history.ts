import { readFile } from 'node:fs/promises';
import { replaceFile } from '../fs/replace-file.ts';

const MAX_ENTRIES = 100;

/**
 * Stores the user's earlier prompts, one JSON string a line, oldest first. All windows and the CLI share the
 * file.
 */
export class PromptHistory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Resolves with at most 100 prompts. A line that is not a JSON string counts as plain text. */
  async load(): Promise<readonly string[]> {
    return entriesOf(await readFile(this.#path, 'utf8').catch(() => ''));
  }

  /** Moves a known prompt to the end, and ignores a prompt without words. Resolves with the new list. */
  async add(prompt: string): Promise<readonly string[]> {
    const known = entriesOf(await this.#read());
    if (prompt.trim() === '') return known;
    const entries = [...known.filter((entry) => entry !== prompt), prompt].slice(-MAX_ENTRIES);
    await replaceFile(this.#path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    return entries;
  }

  /**
   * Only a missing file counts as an empty history. Rejects for an unreadable file, because `add` must not
   * overwrite it.
   */
  #read(): Promise<string> {
    return readFile(this.#path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
  }
}

function entriesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map(entryOf)
    .slice(-MAX_ENTRIES);
}

function entryOf(line: string): string {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'string' ? value : line;
  } catch {
    return line;
  }
}
