// node guard.mjs FOLDER COMMAND ARGS…: runs a command that must not outlive whoever started it. Our standard
// input is a pipe from there, which closes even when that process was killed without a chance to clean up.
// Then, or when we are told to stop, the command is ended. FOLDER is removed when it has ended.
import { rmSync } from 'node:fs';
import { exitCodeOf, startProcess } from './process-tree.mjs';

const [folder = '', command = '', ...args] = process.argv.slice(2);

process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
// Sooner than whoever waits for us loses patience.
const child = await startProcess(command, args, { graceMilliseconds: 5000 });
process.stdin.resume().once('close', child.stop);
const exit = await child.exited;
await child.stop();
process.exit(exitCodeOf(exit));
