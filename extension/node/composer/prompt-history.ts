import { readFile } from 'node:fs/promises';
import { replaceFile } from '../fs/replace-file.ts';

const MAX_ENTRIES = 100;

/** The user's earlier prompts, one JSON string a line, oldest first. Shared by all windows and the CLI. */
export class PromptHistory {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** At most 100; a line that is no JSON string counts as plain text. */
  async load(): Promise<readonly string[]> {
    return entriesOf(await readFile(this.#path, 'utf8').catch(() => ''));
  }

  /** A prompt that was there already moves to the end; one without words is not kept. Resolves with the new list. */
  async add(prompt: string): Promise<readonly string[]> {
    const known = entriesOf(await this.#read());
    if (prompt.trim() === '') return known;
    const entries = [...known.filter((entry) => entry !== prompt), prompt].slice(-MAX_ENTRIES);
    await replaceFile(this.#path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    return entries;
  }

  /** Only a file that is not there is an empty history: one that cannot be read must not be written over. */
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
