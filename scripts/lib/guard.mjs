// node guard.mjs FOLDER COMMAND ARGS…: runs a command that must not outlive the process that started it.
// Standard input is a pipe from that process. The pipe closes even if the process was killed without a
// cleanup. Then, or on a signal to stop, the guard ends the command. It removes FOLDER after the command has
// ended.
import { rmSync } from 'node:fs';
import { exitCodeOf, startProcess } from './process-tree.mjs';

const [folder = '', command = '', ...args] = process.argv.slice(2);

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
// Shorter than the parent waits for this process.
const child = await startProcess(command, args, { graceMilliseconds: 5000 });
process.stdin.resume().once('close', child.stop);
const exit = await child.exited;
await child.stop();
process.exit(exitCodeOf(exit));
