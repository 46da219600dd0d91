// Stores the logs of a VS Code under test in a folder below out/logs, and quotes them after a failure.
import { mkdir, mkdtemp, readdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { inRepository } from '../paths.mjs';
import { isNoise } from './noise.mjs';

const quotedCharacters = 2500;
/** The logs of VS Code that report what happened to an extension, and the extension's own logs. */
const reportingLog = /remoteexthost\.log$|harness\.harness-agent.*\.log$|output_logging_.*Harness.*\.log$/;

/**
 * The name that the browser tests in a file pass to `makeLogFolder`, so that the file identifies its folders.
 * @param {string} file
 */
export const testLogName = (file) => `browser-${path.basename(file, '.test.ts')}`;

/** @param {string} name the folder is called this, a hyphen and six letters or digits */
export async function makeLogFolder(name) {
  const parent = inRepository('out', 'logs');
  await mkdir(parent, { recursive: true });
  return await mkdtemp(path.join(parent, `${name}-`));
}

/**
 * Makes VS Code write its logs to a folder that outlives its temporary data folder.
 * @param {string} dataDir
 * @param {string} logFolder
 */
export async function keepLogs(dataDir, logFolder) {
  await mkdir(dataDir, { recursive: true });
  await symlink(logFolder, path.join(dataDir, 'logs'), 'junction');
}

/** @param {string} folder where VS Code writes its logs */
export async function quoteLogs(folder) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => reportingLog.test(file));
  const quotes = files.map(async (file) => {
    const text = withoutNoise(await readFile(path.join(folder, file), 'utf8'));
    return text && `--- ${file}\n${text.slice(-quotedCharacters)}`;
  });
  return (await Promise.all(quotes)).filter(Boolean).join('\n');
}

/** @param {string} text */
export function withoutNoise(text) {
  const lines = text.split('\n');
  return lines.filter((line) => !isNoise(line)).join('\n');
}
