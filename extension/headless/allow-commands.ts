import { UsageError } from './arguments.ts';
import { printable } from './printable.ts';
import { tell } from './tell.ts';
import { askOnTerminal, isAttended, ownTerminal, type Terminal } from './terminal-question.ts';

const ANSWERS = new Map([
  ['y', true],
  ['n', false],
]);

/** What somebody else may have thought of. */
export interface Foreign {
  /** As they would run. */
  readonly commands: Iterable<string>;
  /** Those of them that may get at the recorded folders themselves, by what they say. */
  readonly reaching: readonly string[];
  /** That the commands find, or that tools write for them. */
  readonly files: Iterable<string>;
}

/** Shows commands with the files that they find, and asks. Rejects with `UsageError` where nobody allows them. */
export async function allowCommands(
  { commands, reaching, files }: Foreign,
  terminal: Terminal = ownTerminal(),
): Promise<void> {
  const list = (texts: Iterable<string>) => {
    for (const text of texts) terminal.output.write(`${indented(printable(text))}\n`);
  };
  tell(
    'These files come from the recording; scripts and settings in them may run programs:',
    terminal.output,
  );
  list(files);
  tell('These commands of the recording would run on them here, with your rights:', terminal.output);
  list(commands);
  if (reaching.length > 0) {
    tell(
      'Of these the following name what lies outside of the scratch folder, or may: they may get at the recorded workspace itself, and may change it for good:',
      terminal.output,
    );
    list(reaching);
  }
  if (isAttended(terminal) && (await isAllowed(terminal))) return;
  throw new UsageError(
    reaching.length > 0
      ? '--live-tools: nobody has allowed these commands; as some may change the recorded workspace itself, only y on a terminal does'
      : '--live-tools: nobody has allowed these commands; run it with --yes to allow them',
  );
}

/** Every line of it: none can be taken for one of ours. */
function indented(text: string): string {
  return text.replace(/^/gm, '  ');
}

async function isAllowed(terminal: Terminal): Promise<boolean> {
  const never = new AbortController().signal;
  return askOnTerminal(terminal, '[y] run them, [n] no: ', ANSWERS, never).catch(() => false);
}
