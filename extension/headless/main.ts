import { COMMANDS, type CommandName, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { runMain } from './run-main.ts';
import { USAGE } from './usage.ts';

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
  if (name === '--version') {
    process.stdout.write(`${(await import('./product.ts')).PRODUCT}\n`);
    return EXIT.done;
  }
  if (!COMMANDS.includes(name)) throw new UsageError(unknownCommand(name));
  // Checked in the line before.
  return run(name as CommandName, args);
}

/** Wherever it stands: who asks for help does not want anything done. What follows `--` is a prompt. */
function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((arg) => arg === '--help' || arg === '-h');
}

function unknownCommand(name: string): string {
  const names = COMMANDS.join(', ');
  return name.startsWith('-')
    ? `there is no option “${name}” before the command; the commands are ${names}`
    : `there is no command “${name}”; there are ${names}`;
}

void runMain(main(process.argv.slice(2)), 'Try “harness --help”.\n');
