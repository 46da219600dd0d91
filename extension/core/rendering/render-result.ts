// What the model reads of a stored result: plain text. The log and outside clients have the JSON.
import { renderChange, renderMove, renderPatch } from './changes.ts';
import { fitText } from './fit-text.ts';
import { renderList, renderMatches, renderPaths } from './listings.ts';
import { renderProblems } from './problems.ts';
import { renderCode } from './render-code.ts';
import { renderCommand, renderOutput } from './render-command.ts';
import { renderRead } from './render-read.ts';
import { type RenderedCall, type Rendering, type ResultFields, textField } from './rendering.ts';

/** Changes with every change of a renderer that would make other bytes of a stored result. */
export const RENDERING_VERSION = 1;

const RENDERERS: Readonly<Record<string, (fields: ResultFields, call: RenderedCall) => string | Rendering>> =
  {
    read: renderRead,
    list_dir: renderList,
    grep: renderMatches,
    find_files: renderPaths,
    bash: renderCommand,
    bash_output: renderOutput,
    edit: renderChange,
    write: renderChange,
    move: renderMove,
    apply_patch: renderPatch,
    diagnostics: renderProblems,
    code: renderCode,
    ask_user: (fields) => `The user answers: ${textField(fields, 'answer')}`,
  };

/**
 * Pure: the same call gives the same bytes each time, because caches and replay depend on it. A result that
 * no renderer understands is shown as its JSON. Takes time in proportion to the result.
 */
export function renderResult(call: RenderedCall): Rendering {
  const fields = parsed(call.result);
  const rendered = fields ? tryRender(fields, call) : call.result;
  if (typeof rendered !== 'string') return rendered;
  const isCut = rendered.length > call.limit;
  return { text: fitText(rendered, call.limit, call.rest), lines: [], isCut };
}

function tryRender(fields: ResultFields, call: RenderedCall): string | Rendering {
  if (typeof fields.error === 'string') return `Error: ${fields.error}`;
  const render = Object.hasOwn(RENDERERS, call.name) ? RENDERERS[call.name] : undefined;
  try {
    return render?.(fields, call) ?? plainText(fields) ?? call.result;
  } catch {
    return call.result;
  }
}

/** Tools that answer with one text, and perhaps a note. */
function plainText({ content, note, ...others }: ResultFields): string | undefined {
  if (typeof content !== 'string' || Object.keys(others).length > 0) return undefined;
  return typeof note === 'string' ? `${content}\n(${note})` : content;
}

function parsed(result: string): ResultFields | undefined {
  try {
    const value: unknown = JSON.parse(result);
    return typeof value === 'object' && value !== null ? (value as ResultFields) : undefined;
  } catch {
    return undefined;
  }
}
