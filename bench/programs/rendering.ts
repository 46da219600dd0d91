// Measures the rendering of one long result against shorter ones with as many characters together.
// Arguments: rounds. Prints milliseconds of processor time as JSON, by tool.
import { renderResult } from '../../extension/core/rendering/render-result.ts';
import type { RenderedCall } from '../../extension/core/rendering/rendering.ts';
import { measurePairs, type Pairs, processorTimeOf } from './timing.ts';

const [rounds = '1'] = process.argv.slice(2);
/** What the model reads of a result at most. */
const LIMIT = 30_000;
/** Beyond the limit, so that both are cut. */
const SHORT = 100_000;
const LONG = 1_000_000;
/** Renderings in one measurement, because the clock of processor time is coarse. */
const REPEATS = 10;
const cwd = '/home/user/project';
const code = '  const value = compute(first, second); // some words of a source file';

type Fields = (text: string) => Readonly<Record<string, unknown>>;

/** A line of each tool's result, and the result with a text of such lines. */
const RESULTS: Readonly<Record<string, readonly [line: (index: number) => string, fields: Fields]>> = {
  read: [() => code, (content) => ({ content })],
  grep: [
    (index) => `${cwd}/src/file-${Math.floor(index / 5)}.ts:${index + 1}:${code}`,
    (matches) => ({ matches }),
  ],
  bash: [
    (index) => `src/file-${index}.ts(3,7): a line of a test run`,
    (stdout) => ({ exitCode: 0, stdout, stderr: '' }),
  ],
  list_dir: [
    (index) => `-rw-r--r-- 1 user users ${index + 1} Nov 25 21:30 file-${index}.ts`,
    (entries) => ({ entries }),
  ],
};

function callOf(name: string, characters: number): RenderedCall {
  const [lineOf, fields] = RESULTS[name] ?? [() => code, (text) => ({ text })];
  const lines: string[] = [];
  for (let index = 0, room = characters; room > 0; index += 1) {
    lines.push(lineOf(index));
    room -= (lines.at(-1)?.length ?? 0) + 1;
  }
  const result = JSON.stringify(fields(lines.join('\n')));
  return { name, input: { path: 'src' }, result, cwd, limit: LIMIT };
}

/** As for the log: what the model reads, and the whole text for the file with the rest. */
function render(call: RenderedCall): number {
  const [shown, whole] = [LIMIT, Number.POSITIVE_INFINITY].map((limit) => renderResult({ ...call, limit }));
  return (shown?.text.length ?? 0) + (whole?.text.length ?? 0);
}

function measure(name: string): Promise<Pairs> {
  const [long, short] = [callOf(name, LONG), callOf(name, SHORT)];
  const times = Math.round(long.result.length / short.result.length);
  const repeat = (count: number, call: RenderedCall) => async () => {
    for (let index = 0; index < count; index += 1) render(call);
  };
  return measurePairs(Number(rounds), repeat(REPEATS, long), repeat(REPEATS * times, short), processorTimeOf);
}

const results: Record<string, Pairs> = {};
for (const name of Object.keys(RESULTS)) results[name] = await measure(name);
console.log(JSON.stringify(results));
