// node closed-folders.main.ts FOLDER: reads `ws/d/f` below it, with `ws` as the session's folder, and prints what came of it.
import { join } from 'node:path';
import { guardedFiles } from '../../../extension/node/guarded-files.ts';
import { nodeFileTree } from '../../../extension/node/node-file-tree.ts';

const root = join(process.argv[2] ?? '', 'ws');
const files = guardedFiles(nodeFileTree, () => [root]);
const read = files.read(join(root, 'd', 'f'), 1_000);
console.log(
  await read.then(
    (bytes) => Buffer.from(bytes).toString(),
    (error: Error) => error.message,
  ),
);
