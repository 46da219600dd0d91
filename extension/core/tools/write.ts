import * as z from 'zod/mini';
import { concatBytes, encodeBody } from '../base/text/encoding.ts';
import { splitLines } from '../base/text/lines.ts';
import { ToolError } from '../base/tool-error.ts';
import { LineView } from '../rendering/line-view.ts';
import { binaryFile, requireParents } from './common/existing-file.ts';
import { currentFile, type FileBeforeChange, prepareChange } from './common/file-change.ts';
import { lineViewOf } from './common/line-knowledge.ts';
import { encodeReplacement, type NewContent, requireOverwritable } from './common/overwrite.ts';
import { resolveTarget } from './common/resolve-path.ts';
import { isKnownWhole } from './common/seen-file.ts';
import { defineTool } from './common/tool.ts';

const schema = z.strictObject({
  path: z.string(),
  content: z.string(),
  mode: z.optional(z.enum(['overwrite', 'append']).check(z.describe('Default: overwrite'))),
});

const APPEND_INSTEAD = "append with bash: cat >> FILE <<'END'";
const REPLACE_INSTEAD = 'move or remove it first, then write it anew';

export const write = defineTool({
  name: 'write',
  description:
    'Writes a whole text file: creates it, replaces it, or appends to it. No final newline is added. Read ' +
    'an existing file before you replace it. To change a part of a file, use edit.',
  schema,
  async prepare({ path: given, content, mode }, context) {
    const { workspace, seen } = context;
    if (/[\\/]$/.test(given)) throw new ToolError(`path is a directory: ${given}`, { code: 'invalid_input' });
    const target = await resolveTarget(workspace, given);
    const { path } = target;
    const before = await currentFile(workspace, path, mode === 'append' ? APPEND_INSTEAD : REPLACE_INSTEAD);
    if (!before) await requireParents(workspace, path);
    if (before && mode !== 'append') requireOverwritable(context, path, before);
    const isAppend = before !== undefined && mode === 'append';
    const { bytes, text, written } = isAppend
      ? appended(before, content, path)
      : encodeReplacement(before, content);
    const result = { bytesWritten: written, path };
    const isKnown = !isAppend || isKnownWhole(seen, path, before.content);
    const known = before?.decoded && lineViewOf(seen?.get(path), before.content.version, before.decoded.text);
    const view = isAppend ? (known ?? LineView.empty) : LineView.whole(splitLines(text).length);
    return prepareChange(context, { tool: 'write', target, before, bytes, text, isKnown, view, result });
  },
});

function appended(before: FileBeforeChange, content: string, path: string): NewContent {
  const { decoded } = before;
  if (!decoded) throw binaryFile(path);
  const body = encodeBody(content, decoded.encoding);
  if (!body) {
    throw new ToolError(
      `the content holds characters that ${path} cannot: it is no Unicode text (read as Latin-1); use characters up to ` +
        'U+00FF, or overwrite the whole file',
      { code: 'unsupported' },
    );
  }
  return {
    bytes: concatBytes([before.content.bytes, body]),
    text: decoded.text + content,
    written: body.length,
  };
}
