// A process that runs the commands of argv[3], argv[4] … in the folder argv[2], one after the other, tells its parent
// when they have ended, and stays.
import { NodeShell } from '../../extension/node/processes/node-shell.ts';

const [cwd = '', ...commands] = process.argv.slice(2);

for (const command of commands)
  await new NodeShell().run(
    { command, cwd, timeoutMs: 600_000, maxBytes: 1_000 },
    () => {},
    new AbortController().signal,
  );
process.send?.('ended');
setInterval(() => {}, 600_000);
