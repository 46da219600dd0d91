import * as z from 'zod/mini';
import { decodeText, READ_LIMIT } from '../../base/text/encoding.ts';
import { splitLines } from '../../base/text/lines.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { SeenFile } from '../../log/seen-files.ts';
import type { Target } from '../../permission/action.ts';
import type { CodePlace, LanguageServers, ServerAnswer, TextPosition } from '../../ports/language-servers.ts';
import type { Workspace } from '../../ports/workspace.ts';
import { binaryFile, statExistingFile } from '../common/existing-file.ts';
import { currentFile } from '../common/file-change.ts';
import { lineViewOf, splicesOf } from '../common/line-knowledge.ts';
import { requireLanguageServers } from '../common/require-language-servers.ts';
import { resolveTarget } from '../common/resolve-path.ts';
import { requireReadable, seenFile } from '../common/seen-file.ts';
import { defineTool, type PreparedCall, type ToolContext, type ToolOutput } from '../common/tool.ts';
import { type PlannedFile, textBefore, versionAfter } from '../patch/planned-file.ts';
import { prepareFiles } from '../patch/prepare-files.ts';
import { findSymbol } from './find-symbol.ts';
import { planRename } from './plan-rename.ts';

/** Places or symbols in one result. */
const MOST = 200;

const schema = z.strictObject({
  action: z.enum(['definition', 'references', 'implementations', 'hover', 'symbols', 'rename']),
  path: z.string(),
  line: z.optional(z.number().check(z.int(), z.minimum(1))),
  symbol: z.optional(z.string().check(z.minLength(1), z.describe('As it is on the line; not for symbols'))),
  new_name: z.optional(z.string().check(z.describe('For rename'))),
});

type Input = z.infer<typeof schema>;

export const code = defineTool({
  name: 'code',
  description:
    'Asks the editor’s language servers where a symbol is defined, used or implemented, for its type and ' +
    'documentation (hover), for the symbols of a file, or to rename it everywhere. More exact than grep. ' +
    'Example: {"action":"references","path":"src/a.ts","line":12,"symbol":"parse"}',
  needsLanguageServers: true,
  schema,
  async prepare(input, context, signal) {
    const servers = requireLanguageServers(context);
    requireFields(input);
    const target = await resolveTarget(context.workspace, input.path);
    await statExistingFile(context.workspace, target.path);
    requireReadable(context, target);
    const at =
      input.symbol === undefined ? undefined : await positionIn(context, target, input, input.symbol);
    if (input.action === 'rename') return prepareRename(context, target, input, at, signal);
    return {
      action: { kind: 'read', tool: 'code', targets: [target] },
      execute: async (signal) => ({
        result: await answerTo(servers, input, target.path, at, signal, context),
      }),
    };
  },
});

/** Throws `ToolError` unless the fields fit the action. */
function requireFields({ action, symbol, line, new_name: newName }: Input): void {
  const invalid = (reason: string) =>
    new ToolError(`invalid input for code: ${reason}`, { code: 'invalid_input' });
  if (action === 'symbols' && (symbol ?? line) !== undefined)
    throw invalid('symbols outlines a whole file: give path alone');
  if (action !== 'symbols' && symbol === undefined)
    throw invalid('symbol: missing; give the name as it is on the line');
  if (action !== 'rename' && newName !== undefined) throw invalid('new_name: only rename takes it');
  if (action !== 'rename') return;
  if (newName === undefined) throw invalid('new_name: missing; give the new name');
  if (!/^\S+$/.test(newName)) throw invalid('new_name: expected one name without white space');
}

async function positionIn(
  context: ToolContext,
  { path }: Target,
  { line }: Input,
  symbol: string,
): Promise<TextPosition> {
  const file = await currentFile(context.workspace, path, 'search it with grep');
  if (!file?.decoded) throw binaryFile(path);
  const { text } = file.decoded;
  const { version } = file.content;
  const view = lineViewOf(context.seen?.get(path), version, text);
  return findSymbol(context, { path, version, text, view }, { symbol, line });
}

async function answerTo(
  servers: LanguageServers,
  { action }: Input,
  path: string,
  at: TextPosition | undefined,
  signal: AbortSignal,
  context: ToolContext,
): Promise<ToolOutput['result']> {
  if (action === 'symbols') return listed('symbols', valueIn(await servers.symbols(path, signal)));
  if (!at || action === 'rename') throw new Error('The checks above require a symbol.');
  if (action === 'hover') return { content: valueIn(await servers.hover(path, at, signal)) };
  return listed('places', await withTexts(context, valueIn(await servers.places(action, path, at, signal))));
}

function listed(name: 'places' | 'symbols', all: readonly unknown[]): ToolOutput['result'] {
  const more = all.length - MOST;
  return { [name]: all.slice(0, MOST), ...(more > 0 && { more }) };
}

/** Adds the text of its line to each place, except outside of the workspace, where nobody allowed a read. */
async function withTexts({ workspace }: ToolContext, places: readonly CodePlace[]) {
  const paths = [...new Set(places.slice(0, MOST).map(({ path }) => path))];
  const files = paths.map(async (path) => [path, await linesOf(workspace, path).catch(() => [])] as const);
  const lines = new Map(await Promise.all(files));
  return places.map((place) => ({ ...place, text: lines.get(place.path)?.[place.line - 1]?.trim() ?? '' }));
}

async function linesOf(workspace: Workspace, path: string): Promise<readonly string[]> {
  const { inWorkspace } = await resolveTarget(workspace, path);
  if (!inWorkspace) return [];
  return splitLines(decodeText((await workspace.read(path, READ_LIMIT)).bytes)?.text ?? '');
}

function valueIn<Value>(answer: ServerAnswer<Value>): Value {
  if ('value' in answer) return answer.value;
  throw new ToolError(answer.failure, { code: 'unsupported' });
}

async function prepareRename(
  context: ToolContext,
  { path }: Target,
  { symbol = '', new_name: newName = '' }: Input,
  at: TextPosition | undefined,
  signal: AbortSignal,
): Promise<PreparedCall> {
  if (!at) throw new Error('The checks above require a symbol.');
  const servers = requireLanguageServers(context);
  const files = await planRename(valueIn(await servers.rename(path, at, newName, signal)), context);
  const result = { symbol, newName, files: files.map(({ target }) => target.path) };
  const rename = { symbol, newName };
  return prepareFiles(context, { tool: 'code', files, rename, result, seen: seenAfter(context, files) });
}

/** The model knows the lines that stay, of the files that it has seen. */
function seenAfter({ seen }: ToolContext, files: readonly PlannedFile[]): Readonly<Record<string, SeenFile>> {
  const known = files.flatMap((file) => {
    const { path } = file.target;
    const [before, after] = [textBefore(file), file.after?.text];
    const old = seen?.get(path);
    if (!old || before === undefined || after === undefined) return [];
    const view = lineViewOf(old, file.before?.content.version ?? '', before);
    return [[path, seenFile(versionAfter(file), after, true, view.afterSplices(splicesOf(before, after)))]];
  });
  return Object.fromEntries(known);
}
