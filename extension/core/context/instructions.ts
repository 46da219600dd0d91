import { harmless } from '../base/text/harmless-text.ts';
import type { ContextText } from '../ports/context-source.ts';
import type { InstructionFile } from './instruction-files.ts';
import { fillTemplate } from './system-prompt.ts';
import instructions from './templates/instructions.md' with { type: 'text' };
import cutRemark from './templates/instructions-cut.md' with { type: 'text' };
import section from './templates/instructions-file.md' with { type: 'text' };
import none from './templates/instructions-none.md' with { type: 'text' };

/** Limit in bytes (UTF-8) for the texts of all files together. */
export const INSTRUCTIONS_LIMIT = 32 * 1024;

/** Joins the files into one text, in their order, up to the limit. */
export function instructionsContext(files: readonly InstructionFile[]): ContextText {
  if (files.length === 0) return { kind: 'instructions', text: fillTemplate(none), implied: true };
  let room = INSTRUCTIONS_LIMIT;
  const shown: string[] = [];
  const cut: string[] = [];
  for (const { holdsFor, path, text, isCut } of files) {
    const whole = harmless(text).trim();
    const { text: fitting, bytes } = cutToBytes(whole, room);
    room -= bytes;
    if (fitting !== '') shown.push(fillTemplate(section, { folder: onOneLine(holdsFor), text: fitting }));
    if (isCut || fitting !== whole) cut.push(path);
  }
  if (cut.length > 0) shown.push(cutNotice(cut));
  const sources = files.map(({ path }) => path);
  return { kind: 'instructions', text: fillTemplate(instructions, { files: shown.join('\n\n') }), sources };
}

/** A folder's name may have any character, even a line feed. */
function onOneLine(path: string): string {
  return path.replace(/[\p{Cc}\p{Cf}]/gu, '?');
}

/** Never splits a character. */
function cutToBytes(text: string, limit: number): { readonly text: string; readonly bytes: number } {
  const { read, written } = new TextEncoder().encodeInto(text, new Uint8Array(limit));
  return { text: text.slice(0, read), bytes: written };
}

function cutNotice(paths: readonly string[]): string {
  return fillTemplate(cutRemark, {
    limit: String(INSTRUCTIONS_LIMIT / 1024),
    files: paths.map(onOneLine).join(', '),
  });
}
