import { numberedLines } from './numbered-lines.ts';
import { type RenderedCall, type Rendering, type ResultFields, textField, withNote } from './rendering.ts';

/** Numbered lines from the first one on. If they do not fit, says where to go on. */
export function renderRead(fields: ResultFields, { input, limit }: RenderedCall): Rendering {
  if (typeof fields.image === 'string')
    return { text: `(the picture: ${textField(fields, 'mediaType')})`, lines: [], isCut: false };
  const content = textField(fields, 'content');
  const first = typeof input.start_line === 'number' ? input.start_line : 1;
  if (content === '') return { text: withNote('(no lines)', fields), lines: [], isCut: false };
  const { text, count, isAll } = numberedLines(content, first, limit);
  const last = first + count - 1;
  const isCut = !isAll;
  const more = `\n... the result is cut after line ${last}; read on with start_line: ${last + 1}`;
  return { text: withNote(isCut ? text + more : text, fields), lines: [{ first, last }], isCut };
}
