import type { BackgroundEnd } from '../ports/background-shell.ts';

const LONGEST_NAME = 80;
const MOST_LINES = 10;
const MOST_CHARACTERS = 1_000;

/** The first line of the command, shortened. */
export function describeCommand({ command }: { readonly command: string }): string {
  const [first = ''] = command.trim().split('\n');
  return first.length < command.trim().length || first.length > LONGEST_NAME
    ? `${first.slice(0, LONGEST_NAME).replace(/[\uD800-\uDBFF]$/, '')}…`
    : first;
}

/** For the model. */
export function endSentence({ exitCode }: BackgroundEnd): string {
  return exitCode === undefined ? 'its exit code is unknown' : `exit code ${exitCode}`;
}

/** The end of an output, for a notice. */
export function lastLines(output: string): string {
  const end = output.trimEnd().slice(-MOST_CHARACTERS);
  return end
    .split('\n')
    .slice(-MOST_LINES)
    .join('\n')
    .replace(/^[\uDC00-\uDFFF]/, '');
}
