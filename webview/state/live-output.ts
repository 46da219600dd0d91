// The output of a running command: its newest part, as a terminal would show it. Memory, and the cost of each
// chunk, stay constant for any amount of output.
import { PLAIN, type Style } from '../text/ansi-style.ts';
import { openScreen, print } from '../text/terminal.ts';
import { encodeLine } from '../text/terminal-line.ts';

export interface LiveOutput {
  /** Encoded lines, joined by line feeds. The last one may still grow. */
  text: string;
  /** The column in the last line, and the current style. */
  column: number;
  style: Style;
  /** The beginning of a control sequence whose end has not arrived. */
  held: string;
}

/** The most characters stored; the result brings the whole output. */
export const LIVE_OUTPUT_LIMIT = 32_000;
/** The newest characters of a chunk that are processed. */
const CHUNK_LIMIT = 40_000;
/** Columns after which a line wraps: far more than fit on the screen. */
const WIDTH = 1_000;

// The control sequences that `terminal.ts` knows, cut off by the end.
const unfinished =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /(?:(?:\u001b\[|\u009b)[0-?]{0,100}[ -/]{0,10}|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\r\n]{0,4096}\u001b?|\u001b[ -/]{0,10})$/;

export function emptyOutput(): LiveOutput {
  return { text: '', column: 0, style: PLAIN, held: '' };
}

export function addOutput(output: LiveOutput, chunk: string): void {
  const all = output.held + chunk;
  const arrived = all.length <= CHUNK_LIMIT ? all : `\n${newest(all, CHUNK_LIMIT)}`;
  const cut = arrived.search(unfinished);
  output.held = cut < 0 ? '' : arrived.slice(cut);
  show(output, cut < 0 ? arrived : arrived.slice(0, cut));
}

function show(output: LiveOutput, arrived: string): void {
  const last = output.text.lastIndexOf('\n') + 1;
  const screen = openScreen(output.text.slice(last), output.column, output.style, WIDTH);
  print(screen, arrived);
  const lines = [...screen.ended, encodeLine(screen.line)].join('\n');
  output.text = newest(output.text.slice(0, last) + lines, LIVE_OUTPUT_LIMIT);
  output.column = screen.column;
  output.style = screen.style;
}

/** The end of `text`, from the beginning of a line if there is one. */
function newest(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(text.indexOf('\n', text.length - limit) + 1 || -limit);
}

/** The newest `count` lines, encoded, without blank lines at the end. */
export function newestLines({ text }: LiveOutput, count: number): string[] {
  return text.trimEnd().split('\n').slice(-count);
}
