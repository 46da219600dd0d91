// Renderings of what language servers answer.
import { withProblems } from './problems.ts';
import { type RenderedCall, type ResultFields, shortPath, textField, withNote } from './rendering.ts';

/** A rename, places, symbols, or a text about one symbol. */
export function renderCode(fields: ResultFields, call: RenderedCall): string {
  if (fields.newName !== undefined) return renderRename(fields, call);
  if (fields.content !== undefined) return hoverText(fields);
  const isSymbols = fields.symbols !== undefined;
  const items = isSymbols ? fields.symbols : fields.places;
  if (!Array.isArray(items)) throw new TypeError('there is no list');
  const what = isSymbols ? 'symbols' : String(call.input.action ?? 'places');
  if (items.length === 0) return `The language server gives no ${what} here. Use grep to search the text.`;
  const row = isSymbols ? symbolRow : placeRow;
  const rows = items.map((item: unknown) => row(Object(item) as ResultFields, call.cwd));
  return [...rows, ...(typeof fields.more === 'number' ? [`... and ${fields.more} more`] : [])].join('\n');
}

function hoverText(fields: ResultFields): string {
  const content = textField(fields, 'content');
  return content.trim() === '' ? 'The language server knows nothing of it.' : content;
}

function placeRow({ path, line, text }: ResultFields, cwd: string): string {
  const place = `${shortPath(String(path), cwd)}:${line}`;
  return typeof text === 'string' && text !== '' ? `${place}: ${text}` : place;
}

function symbolRow({ name, kind, line, depth }: ResultFields): string {
  const indent = '  '.repeat(typeof depth === 'number' ? depth : 0);
  return `${String(line).padStart(5)}  ${indent}${kind} ${name}`;
}

function renderRename(fields: ResultFields, { cwd }: RenderedCall): string {
  const { files } = fields;
  if (!Array.isArray(files)) throw new TypeError('files is no list');
  const names = files.map((path: unknown) => `M ${shortPath(String(path), cwd)}`);
  const done = `Renamed ${textField(fields, 'symbol')} to ${textField(fields, 'newName')} in:`;
  return withProblems(withNote([done, ...names].join('\n'), fields), fields, cwd);
}
