// node call-tools.main.ts CALLS: makes the calls on the disk, one after the other, and prints their results.

import { ToolError } from '../../../../extension/core/base/tool-error.ts';
import { edit } from '../../../../extension/core/tools/edit/edit.ts';
import { listDir } from '../../../../extension/core/tools/list-dir.ts';
import { move } from '../../../../extension/core/tools/move.ts';
import { read } from '../../../../extension/core/tools/read/read.ts';
import { write } from '../../../../extension/core/tools/write.ts';
import { bench, diskWorkspace } from '../../tools/call-tool.ts';
import type { Call } from './call-tools-as-nobody.ts';

async function resultOf({ root, tool: name, input }: Call): Promise<object> {
  const tool = [edit, listDir, move, read, write].find((candidate) => candidate.name === name);
  if (!tool) throw new Error(`no tool ${name}`);
  try {
    return (await bench(diskWorkspace(root), undefined, { isOutside: true }).call(tool, input)).result;
  } catch (error) {
    if (error instanceof ToolError) return { error: error.message };
    throw error;
  }
}

const results: object[] = [];
for (const call of JSON.parse(process.argv[2] ?? '[]')) results.push(await resultOf(call));
process.stdout.write(JSON.stringify(results));
