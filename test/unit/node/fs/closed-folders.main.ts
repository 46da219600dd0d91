// node closed-folders.main.ts FOLDER [TEXT]: reads `ws/d/f` below it, with `ws` as the session's folder, and prints what came of
// it. With a text, that takes the place of what it holds before.
import { join } from 'node:path';
import { versionOf } from '../../../../extension/core/base/content-hash.ts';
import { guardedFiles } from '../../../../extension/node/fs/guarded-files.ts';
import { nodeFileTree } from '../../../../extension/node/fs/node-file-tree.ts';

const [, , outer = '', text] = process.argv;
const root = join(outer, 'ws');
const path = join(root, 'd', 'f');
const files = guardedFiles(nodeFileTree, () => [root]);
const held = { kind: 'file', hash: versionOf(Buffer.from('what it holds')) } as const;
if (text !== undefined) await files.write(path, Buffer.from(text), 0o200, held);
const read = files.read(path, 1_000);
console.log(
  await read.then(
    (bytes) => Buffer.from(bytes).toString(),
    (error: Error) => error.message,
  ),
);
