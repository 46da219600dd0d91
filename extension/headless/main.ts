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

/** True if a help option stands anywhere before `--`. A command with a help option must do nothing else. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

function unknownCommand(name: string): string {
  const names = CLI_COMMANDS.join(', ');
  return name.startsWith('-')
    ? `unknown option “${name}” before the command; commands: ${names}`
    : `unknown command “${name}”; commands: ${names}`;
}

const USAGE = `harness - an AI coding agent that records every step in one append-only log

harness exec [PROMPT]      run one prompt; reads standard input if PROMPT is missing or "-"
  --model P/M              provider/model or an alias (sonnet, opus, haiku, gpt, gemini, flash, demo)
  --base-url URL           address of the model API
  --effort EFFORT          how much the model thinks: none | minimal | low | medium | high | xhigh
  --cwd DIR                workspace folder
  --system TEXT            add TEXT to the built-in instructions
  --max-turns N            maximum number of model requests for this prompt
  --max-tokens N           maximum number of tokens per model response
  --permissions MODE       ask | acceptEdits | plan | bypass
  --yes                    same as --permissions bypass
  --json                   print one event per line instead of the reply
  --session ID             continue an earlier session
  --continue               continue the newest session of this folder
  --log-dir DIR            store the session in DIR
  --record FILE            write everything that a replay needs to a new file
harness tool NAME JSON     run one tool and print its JSON result
  --cwd DIR                workspace folder
  --yes                    run the tool without asking
harness replay FILE|ID     replay a recorded session offline and compare the logs
  --json                   print one event per line
  --speed N                play N times as fast as recorded; without it, as fast as possible
  --step                   wait for Return before each event
harness sessions list      list the sessions
harness sessions show ID   print the conversation; with --json, the log
harness sessions verify ID
                           check the log, the stored files and the recording
harness sessions export ID [FILE]
                           write the session to a new file
  --format FORMAT          session (to import) | md | html (to read)
  --force                  replace an existing file
harness sessions import FILE
                           add an exported session, to continue it here
  --cwd DIR                folder in which the session continues
harness sessions restore ID --to SEQ
                           restore files to their state after event SEQ; your later edits stay
  --cwd DIR                workspace folder
  --dry-run                print the plan and change nothing
harness models             list the models of all providers that are set up
  --provider P             list the models of one provider
  --base-url URL           address of its API
  --json                   print one model per line
harness --help
harness --version

All "harness sessions" commands accept:
  --json                   print JSON
  --log-dir DIR            use the sessions in DIR

Exit codes:
  0                        success
  1                        the run ended with an error, or a check failed
  2                        wrong usage, or something named is missing or of the wrong kind
  130                      canceled

Environment:
  ANTHROPIC_API_KEY, OPENAI_API_KEY, NAME_API_KEY of any other provider
  ANTHROPIC_BASE_URL, OPENAI_BASE_URL, OLLAMA_HOST
  HARNESS_HOME             Harness's folder (default ~/.harness); its config.json sets endpoints, aliases and
                           fallbackModel
  HARNESS_TRACE            events | wire: write each turn to a file in HARNESS_HOME/traces, without keys
`;

void runMain(main(process.argv.slice(2)), 'Try “harness --help”.\n');
