import { ToolError } from '../../base/tool-error.ts';

export interface PatchLine {
  readonly sign: ' ' | '-' | '+';
  /** Without its line end. */
  readonly text: string;
}

/** Consecutive lines of a file, and their changes. */
export interface PatchChunk {
  /** Lines before it that are searched for in order, such as the head of a class and of a function. */
  readonly headers: readonly string[];
  readonly lines: readonly PatchLine[];
  /** Its lines are the last ones of the file. */
  readonly atEnd: boolean;
}

/** The changes of a patch to one file. Paths are as the model wrote them. */
export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update';
      readonly path: string;
      readonly moveTo: string | undefined;
      readonly chunks: readonly PatchChunk[];
    };

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const LAST = '*** End of File';
const HEADERS = ['*** Add File: ', '*** Delete File: ', '*** Update File: '] as const;

/**
 * Parses the files of a patch. Accepts more than the grammar: white space around the whole and after markers,
 * a heredoc around it, no `@@` before the first lines, and empty lines for empty context lines. Throws a
 * `ToolError` that says what is wrong and where.
 */
export function parsePatch(text: string): readonly FilePatch[] {
  const lines = withoutHeredoc(text.trim().split(/\r?\n/));
  if (lines[0]?.trim() !== BEGIN) throw invalid(`the first line must be '${BEGIN}'`);
  if (lines.length < 2 || lines.at(-1)?.trim() !== END) throw invalid(`the last line must be '${END}'`);
  const files = [...new Reader(lines.slice(1, -1)).files()];
  if (files.length === 0)
    throw new ToolError('No files were modified: the patch is empty.', { code: 'invalid_input' });
  return files;
}

/** Removes `<<'EOF'` before it and `EOF` after it, as in a command. */
function withoutHeredoc(lines: readonly string[]): readonly string[] {
  const [, , word] = /^(?:apply_patch\s+)?<<-?\s*(["']?)(\w+)\1$/.exec(lines[0]?.trim() ?? '') ?? [];
  if (word === undefined || lines.at(-1)?.trim() !== word) return lines;
  return lines.slice(1, -1).join('\n').trim().split('\n');
}

/** Reads the lines between begin and end. */
class Reader {
  readonly #lines: readonly string[];
  #next = 0;

  constructor(lines: readonly string[]) {
    this.#lines = lines;
  }

  *files(): Generator<FilePatch> {
    if (this.#peek()?.trim().startsWith('*** Environment ID: ')) this.#next += 1;
    while (this.#peek() !== undefined) {
      if (this.#peek()?.trim() === '') this.#next += 1;
      else yield this.#file();
    }
  }

  #peek(): string | undefined {
    return this.#lines[this.#next];
  }

  /**
   * Takes the next line if it begins with the marker, and returns what follows the marker; undefined for any
   * other line.
   */
  #take(marker: string): string | undefined {
    const line = this.#peek();
    if (!line?.trim().startsWith(marker.trim())) return undefined;
    this.#next += 1;
    return line.trim().slice(marker.trim().length).trim();
  }

  #file(): FilePatch {
    for (const header of HEADERS) {
      const path = this.#take(header);
      if (path === '') throw this.#invalid(`there is no path after '${header.trim()}'`, -1);
      if (path !== undefined) return this.#fileAt(path, header);
    }
    const known = HEADERS.map((header) => `'${header}{path}'`).join(', ');
    throw this.#invalid(`'${this.#peek()?.trim()}' begins no file; files begin with ${known}`);
  }

  #fileAt(path: string, header: (typeof HEADERS)[number]): FilePatch {
    switch (header) {
      case '*** Add File: ':
        return { kind: 'add', path, lines: [...this.#added()] };
      case '*** Delete File: ':
        return { kind: 'delete', path };
      case '*** Update File: ':
        return this.#update(path);
    }
  }

  *#added(): Generator<string> {
    for (let line = this.#peek(); line?.startsWith('+'); line = this.#peek()) {
      this.#next += 1;
      yield line.slice(1);
    }
    const line = this.#peek();
    if (line === undefined || line.trim() === '' || line.trim().startsWith('***')) return;
    throw this.#invalid(`every line of a new file begins with '+', and this one does not: '${line}'`);
  }

  #update(path: string): FilePatch {
    const moveTo = this.#take('*** Move to: ');
    if (moveTo === '') throw this.#invalid("there is no path after '*** Move to:'", -1);
    const chunks: PatchChunk[] = [];
    while (!this.#isOver()) chunks.push(this.#chunk());
    if (chunks.length === 0 && moveTo === undefined) {
      throw this.#invalid(`the update of '${path}' is empty`, -1);
    }
    return { kind: 'update', path, moveTo, chunks };
  }

  /**
   * Only empty lines precede the next file or the end. A context line may look like a marker after its space.
   */
  #isOver(): boolean {
    let at = this.#next;
    while (this.#lines[at] === '') at += 1;
    const next = this.#lines[at];
    return next === undefined || (next.startsWith('*** ') && next.trim() !== LAST);
  }

  #chunk(): PatchChunk {
    const headers = [...this.#headers()];
    const lines: PatchLine[] = [];
    for (let line = this.#line(); line; line = this.#line()) lines.push(line);
    const atEnd = this.#take(LAST) !== undefined;
    if (lines.length === 0) throw this.#noLines();
    return { headers, lines, atEnd };
  }

  *#headers(): Generator<string> {
    for (let line = this.#peek(); line && /^@@(\s|$)/.test(line); line = this.#peek()) {
      this.#next += 1;
      const text = line.slice(3);
      if (text.trim() !== '') yield text;
    }
  }

  /** Undefined at the end of the chunk. */
  #line(): PatchLine | undefined {
    const line = this.#peek();
    if (line === undefined || (line === '' && this.#isOver())) return undefined;
    const sign = line === '' ? ' ' : line.charAt(0);
    if (sign !== ' ' && sign !== '-' && sign !== '+') return undefined;
    this.#next += 1;
    return { sign, text: line.slice(1) };
  }

  #noLines(): ToolError {
    const line = this.#peek();
    if (line === undefined || line.startsWith('***')) return this.#invalid("there are no lines after '@@'");
    return this.#invalid(
      `lines of an update begin with ' ' (context), '-' (goes) or '+' (comes), places with '@@', and this one does not: '${line}'`,
    );
  }

  #invalid(what: string, offset = 0): ToolError {
    return invalid(`line ${this.#next + offset + 2}: ${what}`);
  }
}

function invalid(what: string): ToolError {
  return new ToolError(`Invalid patch: ${what}. Nothing was applied.`, { code: 'invalid_input' });
}
