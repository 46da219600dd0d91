// Converts a command's output to what a terminal would show: colors, overwritten and erased lines. Drops all
// other control sequences.
import { PLAIN, restyle, type Style } from './ansi-style.ts';
import {
  appendRun,
  decodeLine,
  encodeLine,
  lengthOf,
  overwrite,
  type StyledRun,
  slice,
  withFewRuns,
} from './terminal-line.ts';

export interface Screen {
  /** Complete lines, encoded. */
  readonly ended: string[];
  /** The line that is being written, its length, and the column in it. */
  line: StyledRun[];
  length: number;
  column: number;
  style: Style;
  /** Columns after which text wraps. */
  readonly width: number;
}

export function openScreen(line: string, column: number, style: Style, width: number): Screen {
  const runs = decodeLine(line);
  return { ended: [], line: runs, length: lengthOf(runs), column, style, width };
}

/** The lines of `text`, encoded. */
export function terminalLines(text: string): string[] {
  const screen = openScreen('', 0, PLAIN, Number.POSITIVE_INFINITY);
  print(screen, text);
  return [...screen.ended, encodeLine(screen.line)];
}

// ECMA-48: text; control sequences; the string commands (OSC, DCS, APC, PM, SOS) up to their end or that of the line;
// other escapes; lone controls.
const tokens =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters.
  /([^\0-\u0008\u000a-\u001f\u007f-\u009f]+)|(?:\u001b\[|\u009b)([0-?]*)[ -/]*([@-~])|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\r\n]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?|[\s\S]/g;

export function print(screen: Screen, output: string): void {
  for (const [token, text, parameters = '', final] of output.matchAll(tokens)) {
    if (text !== undefined) write(screen, text);
    else if (final === 'm') screen.style = restyle(screen.style, parameters);
    else if (final === 'K') erase(screen, parameters);
    else if (token === '\n') feed(screen);
    else if (token === '\r') screen.column = 0;
    else if (token === '\b') screen.column = Math.max(0, screen.column - 1);
  }
}

function write(screen: Screen, text: string): void {
  for (let rest = text; rest !== ''; ) {
    if (screen.column >= screen.width) feed(screen);
    const part = rest.slice(0, fitting(rest, screen.width - screen.column));
    put(screen, part);
    rest = rest.slice(part.length);
  }
}

/** The length of `text` that fits into `room` without splitting a character. */
function fitting(text: string, room: number): number {
  return room < text.length && room > 1 && /[\uD800-\uDBFF]/.test(text.charAt(room - 1)) ? room - 1 : room;
}

function put(screen: Screen, text: string): void {
  const { line, column, style } = screen;
  if (column < screen.length) screen.line = overwrite(line, column, { text, style });
  else appendRun(line, { text, style });
  screen.line = withFewRuns(screen.line);
  screen.column += text.length;
  screen.length = Math.max(screen.length, screen.column);
}

function feed(screen: Screen): void {
  screen.ended.push(encodeLine(screen.line));
  screen.line = [];
  screen.length = 0;
  screen.column = 0;
}

/** Erases to the end of the line, from its start, or all of it. */
function erase(screen: Screen, parameters: string): void {
  const { line, column } = screen;
  const kept = parameters === '1' ? slice(line, column) : [];
  const before = parameters === '' || parameters === '0' ? slice(line, 0, column) : blank(column);
  screen.line = [...before, ...kept];
  screen.length = lengthOf(screen.line);
}

function blank(columns: number): StyledRun[] {
  return columns === 0 ? [] : [{ text: ' '.repeat(columns), style: PLAIN }];
}
