// Whatever was run, undone, done again, rejected and edited before: an undo takes away what its run has done and is still
// there, a redo brings that back, and nothing else is touched.
import { rm } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rejectIn } from '../support/reject-in.ts';
import { treeOf } from '../support/tree-of.ts';
import { bash, undoDesk } from '../support/undo-desk.ts';

const TEXT = Array.from({ length: 160 }, (_, index) => `line ${index}\n`);
const FILES = Array.from({ length: 40 }, (_, index) => 4 * index);
const KINDS = ['line', 'new', 'gone'] as const;

/** What a run has done, each to a line or a file of its own: or the user, to a line. */
interface Deed {
  readonly kind: (typeof KINDS)[number];
  readonly number: number;
  readonly run?: number;
}

/** One of the steps of a history; `choice` is what it is about. */
const step = fc.record({
  kind: fc.constantFrom(
    ...(['run', 'undo', 'cycle', 'cycle', 'redo', 'hand', 'hand', 'review', 'edit'] as const),
  ),
  choice: fc.nat(50),
});
const RUNS = [1, 2, 4].map((choice) => ({ kind: 'run', choice }) as const);

class History {
  readonly #desk: Awaited<ReturnType<typeof undoDesk>>;
  readonly #deeds: Deed[] = [];
  readonly #takenBack = new Set<Deed>();
  /** Runs that count, and those that can be done again, the next one last. */
  readonly #done: number[] = [];
  #undone: number[] = [];
  #runs = 0;

  static async begin(): Promise<History> {
    const desk = await undoDesk();
    await desk.put('text', TEXT.join(''));
    for (const number of FILES) await desk.put(`gone${number}`, 'there before\n');
    return new History(desk);
  }

  private constructor(desk: Awaited<ReturnType<typeof undoDesk>>) {
    this.#desk = desk;
  }

  async take(kind: 'run' | 'undo' | 'redo' | 'cycle' | 'hand' | 'review' | 'edit', choice: number) {
    if (kind === 'run') await this.#run(choice);
    else if (kind === 'undo') await this.#undo();
    else if (kind === 'redo') await this.#redo();
    else if (kind === 'edit') await this.#write(this.#add('line'), 'mine');
    else if (kind !== 'cycle') await this.#takeBack(choice, kind);
    else {
      const count = Math.min(1 + (choice % 3), this.#done.length);
      for (let index = 0; index < count; index += 1) await this.#undo();
      for (let index = 0; index < count; index += 1) await this.#redo();
    }
  }

  get files(): ReturnType<typeof treeOf> {
    return treeOf(this.#desk.root);
  }

  get expected(): Record<string, string> {
    const lines = [...TEXT];
    const files: Record<string, string> = {};
    for (const number of FILES) files[`gone${number}`] = '644 there before\n';
    for (const { kind, number, run } of this.#deeds.filter((deed) => this.#isThere(deed))) {
      if (kind === 'line') lines[number] = `${run === undefined ? 'mine' : 'changed'} ${number}\n`;
      else if (kind === 'new') files[`new${number}`] = '644 made\n';
      else delete files[`gone${number}`];
    }
    return { ...files, text: `644 ${lines.join('')}` };
  }

  #isThere(deed: Deed): boolean {
    return (deed.run === undefined || this.#done.includes(deed.run)) && !this.#takenBack.has(deed);
  }

  /** Lines that are no neighbours. */
  #add(kind: Deed['kind'], run?: number): Deed {
    const deed = { kind, number: 4 * this.#deeds.length, ...(run !== undefined && { run }) };
    this.#deeds.push(deed);
    return deed;
  }

  async #run(choice: number): Promise<void> {
    const run = this.#runs++;
    const kinds = KINDS.filter((_, index) => (choice >> index) % 2 === 1);
    const commands = (kinds.length > 0 ? kinds : KINDS).map((kind) => {
      const { number } = this.#add(kind, run);
      if (kind === 'line') return `sed -i 's/^line ${number}$/changed ${number}/' text`;
      return kind === 'new' ? `echo made > new${number}` : `rm gone${number}`;
    });
    this.#done.push(run);
    this.#undone = [];
    await this.#desk.run(bash(commands.join(' && ')));
  }

  async #undo(): Promise<void> {
    const run = this.#done.pop();
    if (run === undefined) return;
    this.#undone.push(run);
    await this.#desk.undo();
  }

  async #redo(): Promise<void> {
    const run = this.#undone.pop();
    if (run === undefined) return;
    this.#done.push(run);
    await this.#desk.redo();
  }

  async #takeBack(choice: number, how: 'hand' | 'review'): Promise<void> {
    const there = this.#deeds.filter((deed) => deed.run !== undefined && this.#isThere(deed));
    const deed = there[choice % Math.max(there.length, 1)];
    if (!deed) return;
    const { kind, number } = deed;
    const name = kind === 'line' ? 'text' : `${kind}${number}`;
    const lines = kind === 'line' ? [`-line ${number}`, `+changed ${number}`] : [];
    this.#takenBack.add(deed);
    if (how === 'review') await rejectIn(this.#desk, name, lines);
    else if (kind === 'line') await this.#write(deed, 'line');
    else if (kind === 'new') await rm(this.#desk.at(name));
    else await this.#desk.put(name, 'there before\n');
  }

  async #write({ number }: Deed, word: string): Promise<void> {
    const lines = (await this.#desk.read('text'))?.split('\n') ?? [];
    lines[number] = `${word} ${number}`;
    await this.#desk.put('text', lines.join('\n'));
  }
}

test('an undo and a redo touch what their run has done alone', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 10 }), async (steps) => {
      const history = await History.begin();
      const taken: string[] = [];
      for (const { kind, choice } of [...RUNS, ...steps]) {
        await history.take(kind, choice);
        taken.push(`${kind} ${choice}`);
        expect(await history.files, taken.join(', ')).toEqual(history.expected);
      }
    }),
    { numRuns: 20 },
  );
});
