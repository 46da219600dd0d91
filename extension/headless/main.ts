import { type CommandName, commands, UsageError } from './arguments.ts';
import { EXIT } from './exit-codes.ts';
import { USAGE } from './usage.ts';

async function run(name: CommandName, args: readonly string[]): Promise<number> {
  switch (name) {
    case 'exec':
      return (await import('./exec.ts')).exec(args);
    case 'tool':
      return (await import('./tool.ts')).tool(args);
    case 'models':
      return (await import('./models.ts')).models(args);
    case 'sessions':
      return (await import('./sessions.ts')).sessions(args);
  }
}

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    process.stdout.write(USAGE);
    return name === undefined ? EXIT.usage : EXIT.done;
  }
  if (!Object.hasOwn(commands, name)) throw new UsageError(`there is no command “${name}”`);
  // Checked in the line before.
  return run(name as CommandName, args);
}

// Whoever read our output has gone; what runs hears of it too and ends.
process.stdout.on('error', () => {
  process.exitCode = EXIT.failed;
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    const usage = error instanceof UsageError;
    process.stderr.write(`harness: ${error instanceof Error ? error.message : String(error)}\n`);
    if (usage) process.stderr.write('Try “harness --help”.\n');
    process.exitCode = usage ? EXIT.usage : EXIT.failed;
  },
);
