import { numberedLines } from './numbered-lines.ts';
import { type RenderedCall, type Rendering, type ResultFields, textField, withNote } from './rendering.ts';

/** Numbered lines from the first one on. If they do not fit, says where to go on. */
export function renderRead(fields: ResultFields, { input, limit }: RenderedCall): Rendering {
  if (typeof fields.image === 'string')
    return { text: `(the picture: ${textField(fields, 'mediaType')})`, lines: [], isCut: false };
  const content = textField(fields, 'content');
  const first = typeof input.start_line === 'number' ? input.start_line : 1;
  if (content === '') return { text: withNote('(no lines)', fields), lines: [], isCut: false };
  const { text, count, isAll, whole } = numberedLines(content, first, limit);
  const last = first + count - 1;
  const hasLong = whole.reduce((sum, lines) => sum + lines.last - lines.first + 1, 0) < count;
  const notes = [
    ...(hasLong ? ['... the ends of long lines are left out; get them with cut -c in bash'] : []),
    ...(isAll ? [] : [`... the result is cut after line ${last}; read on with start_line: ${last + 1}`]),
  ];
  return { text: withNote([text, ...notes].join('\n'), fields), lines: whole, isCut: !isAll || hasLong };
}
