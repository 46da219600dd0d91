import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const FOLDERS = 200;
const FILES_OF_FOLDER = 100;
export const line = 'A line of a large file that is as long as lines of code are.\n';

/** Writes folders with 100 files of a kilobyte each. */
export async function writeTree(root: string, folders = FOLDERS): Promise<void> {
  for (let folder = 0; folder < folders; folder++) {
    const parent = path.join(root, `folder-${folder}`);
    await mkdir(parent, { recursive: true });
    const names = Array.from({ length: FILES_OF_FOLDER }, (_, index) => index);
    await Promise.all(names.map((index) => writeFile(path.join(parent, `file-${index}.ts`), textOf(index))));
  }
}

/** One file in a hundred contains the searched text. */
function textOf(index: number): string {
  return `${line.repeat(15)}${index === 7 ? 'const needle_1 = 1;\n' : ''}`;
}
