import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/**
 * The first of these programs that is on PATH.
 * @param {...string} names
 * @returns {string | undefined} its full path
 */
export function findProgram(...names) {
  const extensions = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const candidates = names.flatMap((name) =>
    folders.flatMap((folder) => extensions.map((extension) => path.join(folder, name + extension))),
  );
  return candidates.find(isExecutable);
}

/** @param {string} file */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // The file is missing or not executable, so it is not the program.
    return false;
  }
}

/**
 * How to start a program by name, because Windows runs scripts such as npm.cmd only through its shell.
 * @param {string} program
 * @param {readonly string[]} args
 * @returns {[command: string, args: string[]]}
 */
export function invocation(program, args) {
  return process.platform === 'win32' ? ['cmd.exe', ['/d', '/c', program, ...args]] : [program, [...args]];
}
