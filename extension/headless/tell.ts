import { printable } from './printable.ts';

/** Says it to whoever sits there, who need not trust what is said: a file may have brought it. */
export function tell(text: string, output: NodeJS.WritableStream = process.stderr): void {
  // No line of it can be taken for another one of ours.
  output.write(`harness: ${printable(text).replaceAll('\n', '\n  ')}\n`);
}
