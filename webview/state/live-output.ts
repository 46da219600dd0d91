// A command's output while it runs, as plain text: the newest of it, without what only a terminal understands.
import { stripControls } from './plain-text.ts';

export interface LiveOutput {
  text: string;
  /** The beginning of a control sequence whose end has not arrived. */
  held: string;
}

/** Characters that are kept; the whole output comes with the result. */
export const LIVE_OUTPUT_LIMIT = 20_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const unfinished = /\u001b(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001b\u009c]{0,4096}\u001b?)?$|\r$/;

export function addOutput(output: LiveOutput, chunk: string): void {
  const arrived = output.held + chunk;
  const cut = arrived.search(unfinished);
  output.held = cut < 0 ? '' : arrived.slice(cut);
  const text = output.text + stripControls(cut < 0 ? arrived : arrived.slice(0, cut));
  output.text = newest(overwriteLines(text));
}

/** A lone carriage return starts the line again: of a progress bar only the last state is kept. */
function overwriteLines(text: string): string {
  return text.includes('\r') ? text.replace(/[^\n]*\r(?=[^\n])/g, '') : text;
}

function newest(text: string): string {
  return text.length <= LIVE_OUTPUT_LIMIT
    ? text
    : text.slice(text.indexOf('\n', text.length - LIVE_OUTPUT_LIMIT) + 1 || -LIVE_OUTPUT_LIMIT);
}
