import { CLI_COMMANDS, type CommandName, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { runMain } from './run-main.ts';

async function run(name: CommandName, args: readonly string[]): Promise<number> {
  switch (name) {
    case 'exec':
      return (await import('./exec.ts')).exec(args);
    case 'tool':
      return (await import('./tool.ts')).tool(args);
    case 'models':
      return (await import('./models.ts')).models(args);
    case 'replay':
      return (await import('./replay.ts')).replay(args);
    case 'sessions':
      return (await import('./sessions.ts')).sessions(args);
  }
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || asksForHelp([name, ...args])) {
    process.stdout.write(USAGE);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (!CLI_COMMANDS.includes(name)) throw new UsageError(unknownCommand(name));
  // Checked in the line before.
  return run(name as CommandName, args);
}

/** Wherever it stands: who asks for help does not want anything done. What follows `--` is a prompt. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

function unknownCommand(name: string): string {
  const names = CLI_COMMANDS.join(', ');
  return name.startsWith('-')
    ? `there is no option “${name}” before the command; the commands are ${names}`
    : `there is no command “${name}”; there are ${names}`;
}

const USAGE = `harness - a coding agent whose every step is an event in one append-only log

harness exec [PROMPT]      one prompt (from standard input where PROMPT is absent or "-")
  --model P/M              provider/model or an alias (sonnet, opus, haiku, gpt, gemini, flash, demo)
  --base-url URL           the model API's address
  --effort EFFORT          none | minimal | low | medium | high | xhigh: how much it thinks
  --cwd DIR                the workspace folder
  --system TEXT            added to the built-in instructions
  --max-turns N            requests for this prompt
  --max-tokens N           tokens of one reply
  --permissions MODE       ask | acceptEdits | plan | bypass
  --yes                    the same as --permissions bypass
  --json                   one event a line; without it the text streams and tools go to standard error
  --session ID             go on with an earlier session
  --continue               go on with the newest session of this folder
  --log-dir DIR            keep the session below DIR
  --record FILE            write all that is needed to play the run again into one new file
harness tool NAME JSON [--cwd DIR] [--yes]   run one tool, print its JSON result
harness replay FILE|ID     play a recorded session through the real loop, without network, and compare its log
  --json                   one event a line, as they come out
  --speed N                N times as fast as it was recorded, with no pause that took more than 3 s there;
                           as fast as possible without it
  --step                   one event for each line (Return) on standard input
harness sessions list | show ID | verify ID [--json]
                           earlier sessions; verify: is everything there, and as it was written?
                           each of these, and of the next, takes --log-dir DIR: the sessions below DIR
harness sessions export ID [FILE] [--format session | md | html] [--force]
                           into one new file: to go on from elsewhere, or to read; --force replaces one that is there
harness sessions import FILE [--cwd DIR]     go on from such a file, in that folder
harness sessions restore ID --to SEQ [--cwd DIR] [--dry-run] [--json]
                           its files become what they were after event SEQ; your edits since are kept;
                           DIR: the workspace, where it is not this folder
harness models [--provider P] [--base-url URL] [--json]
                           models of a provider, or of every one that is set up
harness --help | --version

Exit codes: 0 done, 1 ended in an error, 2 wrong usage (also where what it names is not there, or not of its kind),
130 cancelled.
Environment: ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL, OPENAI_API_KEY, OPENAI_BASE_URL, OLLAMA_HOST, NAME_API_KEY
of any other provider, HARNESS_HOME (default ~/.harness; its config.json names endpoints, aliases, fallbackModel),
HARNESS_TRACE (events or wire: each turn is written to a file below HARNESS_HOME/traces, without keys).
`;

void runMain(main(process.argv.slice(2)), 'Try “harness --help”.\n');
