// Replaces the content of a file: checks the old content, and encodes the new one.

import { encodeBody, encodeText, type TextEncoding, type TextFile } from '../../base/text/encoding.ts';
import { ToolError } from '../../base/tool-error.ts';
import type { FileBeforeChange } from './file-change.ts';
import { isKnownWhole, requireCurrent } from './seen-file.ts';
import type { ToolContext } from './tool.ts';

export interface NewContent {
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Size in bytes of the requested content alone, without a byte order mark. */
  readonly written: number;
}

/**
 * Protects content that the user or another program wrote. The model must have read the file. Content on disk
 * may be replaced even if the model has not seen all of it, because the user sees the change. Unsaved content
 * of an editor may not.
 */
export function requireOverwritable(
  known: Pick<ToolContext, 'seen' | 'withoutSecrets'>,
  path: string,
  before: FileBeforeChange,
): void {
  const { content, decoded } = before;
  if (content.unsaved && !isKnownWhole(known.seen, path, content)) {
    throw new ToolError(
      `the editor holds unsaved changes that you have not seen: ${path}; nothing was written. Read the whole file, or ` +
        'use edit, or ask the user to save it',
      { code: 'conflict' },
    );
  }
  requireCurrent(known, path, content, decoded?.text);
  // `read` cannot show a binary file.
  if (!known.seen || known.seen.get(path) || content.bytes.length === 0 || !decoded) return;
  throw new ToolError(
    `file exists, and you have not read it in this session: ${path}; nothing was written. Read it first, or change only a part of it`,
    { code: 'conflict' },
  );
}

/** Uses the file's own encoding, or UTF-8 if that encoding lacks a character. */
export function encodeReplacement(before: FileBeforeChange | undefined, content: string): NewContent {
  const encoding = before?.decoded?.encoding ?? 'utf-8';
  const text = marksItself(encoding) ? content.replace(/^\uFEFF/, '') : content;
  const bytes = encodeText({ text, encoding });
  if (bytes) return { bytes, text, written: bodySize(text, encoding) };
  return encodeReplacement(undefined, content);
}

/**
 * Keeps the encoding, because unchanged lines keep their bytes. Throws `ToolError` if the encoding lacks a
 * character.
 */
export function editedBytes(file: TextFile, path: string): Uint8Array {
  const bytes = encodeText(file);
  if (bytes) return bytes;
  throw new ToolError(
    `the new lines hold characters that ${path} cannot: it is no Unicode text (read as Latin-1), and its other lines ` +
      'must stay as they are; use characters up to U+00FF, or write the whole file anew',
    { code: 'unsupported' },
  );
}

const ENCODING_NOTES: Readonly<Record<TextEncoding, string | undefined>> = {
  'utf-8': undefined,
  'utf-8-bom': undefined,
  'utf-16le': 'the file is UTF-16, little endian, and stays so',
  'utf-16be': 'the file is UTF-16, big endian, and stays so',
  latin1:
    'the file is not valid UTF-8, so each byte was taken for a Latin-1 character; text in another encoding looks wrong, and edits keep its bytes',
};

/** The note of a result, with the encoding that was assumed if it is not UTF-8. */
export function noteWithEncoding(encoding: TextEncoding, note?: string): { readonly note?: string } {
  const notes = [note, ENCODING_NOTES[encoding]].filter((each) => each !== undefined);
  return notes.length > 0 ? { note: notes.join('; ') } : {};
}

function marksItself(encoding: TextEncoding): boolean {
  return encoding !== 'utf-8' && encoding !== 'latin1';
}

function bodySize(text: string, encoding: TextEncoding): number {
  return encodeBody(text, encoding)?.length ?? 0;
}
