// The names of the files in a zip archive, read from its central directory.
import { readFileSync } from 'node:fs';

const endSignature = 0x06054b50;
const endLength = 22;
const entryLength = 46;

/**
 * @param {string} file
 * @returns {string[]}
 */
export function zipEntries(file) {
  const bytes = readFileSync(file);
  let end = bytes.length - endLength;
  while (end >= 0 && bytes.readUInt32LE(end) !== endSignature) end -= 1;
  if (end < 0) throw new Error(`${file} is not a zip archive.`);
  const names = [];
  let position = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameLength = bytes.readUInt16LE(position + 28);
    const rest = bytes.readUInt16LE(position + 30) + bytes.readUInt16LE(position + 32);
    names.push(bytes.toString('utf8', position + entryLength, position + entryLength + nameLength));
    position += entryLength + nameLength + rest;
  }
  return names;
}
