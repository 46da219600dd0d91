// What people get to read of a damaged log: all that is intact, each once, and that something is missing.
import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SecretFilter } from '../../../../extension/core/secrets/secret-filter.ts';
import { logOf } from '../../../../extension/node/log/session-files.ts';
import { type ReadableFormat, readableExport } from '../../../../extension/node/transfer/readable-export.ts';
import { machine, session } from '../../../support/machine.ts';

const PROMPTS = ['first', 'second', 'third', 'fourth'];

/** `damage` gets the lines of a log, of which the last four are the prompts, and gives what stands in its place. */
async function readable(damage: (lines: readonly string[]) => string, format: ReadableFormat = 'md') {
  const here = await machine();
  const said = PROMPTS.map((content) => ({ type: 'user', content: `The ${content}` }) as const);
  const { id } = await session(here, ...said);
  const path = logOf(here.root, id);
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  await writeFile(path, damage(lines));
  const read = (onDamaged?: (lines: number) => void) => here.store.stream(id, onDamaged);
  const { text, isRepaired } = await readableExport(read, format, new SecretFilter());
  const pieces: Uint8Array[] = [];
  for await (const piece of text) pieces.push(piece);
  const page = Buffer.concat(pieces).toString();
  const prompts = PROMPTS.flatMap((name) => Array(page.split(`The ${name}`).length - 1).fill(name));
  const isTold = page.includes('of this session could not be read');
  return { prompts, isRepaired, isTold };
}

const fileOf = (lines: readonly string[]) => `${lines.join('\n')}\n`;

test.each(['md', 'html'] as const)('a record that is no more is told (%s)', async (format) => {
  const zeros = (lines: readonly string[]) => fileOf(lines.with(-3, '\0'.repeat(lines.at(-3)?.length ?? 0)));
  // The first prompt is the title of the page as well.
  const { prompts, ...told } = await readable(zeros, format);
  expect(new Set(prompts)).toEqual(new Set(['first', 'third', 'fourth']));
  expect(told).toEqual({ isRepaired: true, isTold: true });
});

test('records between which the line feed was lost are there', async () => {
  const joined = (lines: readonly string[]) =>
    fileOf([...lines.slice(0, -3), `${lines.at(-3)}${lines.at(-2)}`, lines.at(-1) ?? '']);
  expect(await readable(joined)).toEqual({ prompts: PROMPTS, isRepaired: true, isTold: true });
});

test('what stands there twice is read once', async () => {
  const twice = (lines: readonly string[]) => fileOf([...lines, ...lines.slice(-2)]);
  expect(await readable(twice)).toEqual({ prompts: PROMPTS, isRepaired: true, isTold: true });
});

test('of a record that is being written nothing is said', async () => {
  const begun = (lines: readonly string[]) => fileOf(lines).slice(0, -20);
  expect(await readable(begun)).toEqual({ prompts: PROMPTS.slice(0, 3), isRepaired: false, isTold: false });
});

test('what two writers have numbered alike is there', async () => {
  const numbered = (lines: readonly string[]) => {
    const { seq, ...last } = JSON.parse(lines.at(-1) ?? '');
    return fileOf(lines.with(-1, JSON.stringify({ ...last, seq: seq - 2 })));
  };
  expect((await readable(numbered)).prompts).toEqual(PROMPTS);
});
