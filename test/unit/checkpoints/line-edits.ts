// What calls, commands and the user do to the lines of one text, at random: each line of theirs is there once.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { type Act, OPEN } from './undo-acts.ts';
import type { Bench } from './undo-bench.ts';

/** Its name. */
export const TEXT = 'text';
const LINES = Array.from({ length: 30 }, (_, index) => `line ${index}`);

export interface LineEdit {
  readonly by: Act['by'];
  readonly kind: 'insert' | 'replace' | 'delete';
  /** Index of a line, modulo their number. */
  readonly at: number;
}

/** How the text is written down. */
interface Writing {
  readonly end: string;
  readonly mark: '' | '\uFEFF';
  readonly encoding: BufferEncoding;
}

/** One that somebody has put there. */
export interface OwnLine {
  readonly line: string;
  readonly isUsers: boolean;
  /** Of the last event before it. */
  readonly seq: number;
}

export const lineEdits: fc.Arbitrary<{ readonly edits: readonly LineEdit[]; readonly writing: Writing }> =
  fc.record({
    edits: fc.array(
      fc.record({
        by: fc.constantFrom<Act['by'][]>('call', 'command', 'user', 'user'),
        kind: fc.constantFrom<LineEdit['kind'][]>('insert', 'replace', 'delete'),
        at: fc.nat(LINES.length),
      }),
      { minLength: 2, maxLength: 8 },
    ),
    writing: fc
      .tuple(
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom<Pick<Writing, 'mark' | 'encoding'>[]>(
          { mark: '', encoding: 'utf8' },
          { mark: '\uFEFF', encoding: 'utf8' },
          { mark: '\uFEFF', encoding: 'utf16le' },
          { mark: '', encoding: 'latin1' },
        ),
      )
      .map(([end, rest]) => ({ end, ...rest })),
  });

/** A text of the user's in a bench, in which everybody edits lines. */
export class EditedText {
  readonly own: OwnLine[] = [];
  readonly #bench: Bench;
  readonly #writing: Writing;

  constructor(bench: Bench, writing: Writing) {
    this.#bench = bench;
    this.#writing = writing;
  }

  get lines(): Promise<readonly string[]> {
    const { end, mark, encoding } = this.#writing;
    return readFile(join(this.#bench.root, TEXT), encoding).then((text) =>
      text.slice(mark.length).split(end).slice(0, -1),
    );
  }

  async write(edits: readonly LineEdit[]): Promise<void> {
    await this.#put('user', LINES);
    for (const edit of edits) await this.#edit(edit);
  }

  /** Nobody takes away what the other side has put there. */
  async #edit({ by, kind, at }: LineEdit): Promise<void> {
    const lines = [...(await this.lines)];
    const index = at % lines.length;
    const isUsers = by === 'user';
    const there = this.own.find(({ line }) => line === lines[index]);
    if (kind !== 'insert' && there && there.isUsers !== isUsers) return;
    const line = `ä ${by} ${this.own.length}`;
    lines.splice(index, kind === 'insert' ? 0 : 1, ...(kind === 'delete' ? [] : [line]));
    const seq = this.#bench.end;
    await this.#put(by, lines);
    if (kind !== 'delete') this.own.push({ line, isUsers, seq });
  }

  #put(by: Act['by'], lines: readonly string[]): Promise<void> {
    const { end, mark, encoding } = this.#writing;
    const content = Buffer.from(mark + lines.map((line) => line + end).join(''), encoding);
    const [mode] = OPEN;
    return this.#bench.act({ by, kind: 'write', path: TEXT, other: TEXT, content, mode, replaces: false });
  }
}
