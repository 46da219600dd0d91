// npm, run by the Node of our choice: native modules are built for the Node that npm runs on.
import path from 'node:path';
import { invocation } from './find-program.mjs';

/**
 * @param {readonly string[]} args
 * @param {string} [node] the Node program to run npm with
 * @returns {{ command: string, args: string[], env: NodeJS.ProcessEnv }}
 */
export function npmCommand(args, node = process.execPath) {
  const env = { ...process.env, PATH: path.dirname(node) + path.delimiter + process.env.PATH };
  // Inside `npm run`, npm says where it is. Elsewhere it is on PATH.
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return { command: node, args: [script, ...args], env };
  const [command, allArgs] = invocation('npm', args);
  return { command, args: allArgs, env };
}
