// Runs npm on a given Node, because npm builds native modules for the Node that it runs on.
import path from 'node:path';
import { invocation } from './find-program.mjs';

/**
 * @param {readonly string[]} args
 * @param {string} [node] the Node program to run npm with
 * @returns {{ command: string, args: string[], env: NodeJS.ProcessEnv }}
 */
export function npmCommand(args, node = process.execPath) {
  const env = { ...process.env, PATH: path.dirname(node) + path.delimiter + process.env.PATH };
  // `npm run` sets the path of npm. Otherwise it is on PATH.
  const script = process.env.npm_execpath;
  if (script?.endsWith('npm-cli.js')) return { command: node, args: [script, ...args], env };
  const [command, allArgs] = invocation('npm', args);
  return { command, args: allArgs, env };
}
