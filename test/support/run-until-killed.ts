// A process that runs a command which does not end by itself, and leaves the ids of its processes in argv[2].
import { NodeShell } from '../../extension/node/node-shell.ts';

const run = (command: string) =>
  new NodeShell().run(
    { command, cwd: process.argv[2] ?? '', timeoutMs: 600_000, maxBytes: 1_000 },
    () => {},
    new AbortController().signal,
  );

// Its watchdog must have seen one command come and go.
await run('true');
await run(
  'echo $$ > shell; (sh -c "echo \\$\\$ > background; exec sleep 600") & setsid sh -c "echo \\$\\$ > own-group; exec sleep 600" & wait',
);
