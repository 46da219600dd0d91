import * as vscode from 'vscode';
import type { Workspace } from '../../core/ports/workspace.ts';
import { resolveTarget } from '../../core/tools/common/resolve-path.ts';
import { type FixedMention, fixedMentions, type Mention } from '../../protocol/mention-text.ts';
import { holdsSecrets } from './secret-paths.ts';

/** The target of a mention. */
export type Mentioned =
  | { readonly kind: 'fixed'; readonly name: FixedMention }
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      /** Lines from 1, both inclusive. */
      readonly lines?: { readonly first: number; readonly last: number };
      readonly symbol?: string;
    }
  /** The text was meant as a mention; `reason` is a sentence for the user. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** A word that only begins with an `@`. */
  | { readonly kind: 'word' };

const PLACE = /^(.+?)(?::(\d+)(?:-(\d+))?|#(.+))$/;

/** Looks up the target of a mention. Never rejects. */
export async function findMentioned(workspace: Workspace, mention: Mention): Promise<Mentioned> {
  const { name, isQuoted } = mention;
  const fixed = fixedMentions.find((candidate) => candidate === name);
  if (fixed && !isQuoted) return { kind: 'fixed', name: fixed };
  const whole = await findPath(workspace, name);
  if (whole.kind !== 'missing') return whole;
  const [, path = '', first, last, symbol] = PLACE.exec(name) ?? [];
  const file = path === '' ? whole : await findPath(workspace, path);
  if (file.kind === 'file') return withPlace(file, first, last, symbol);
  if (file.kind !== 'missing') return file;
  return isQuoted || looksLikePath(name)
    ? refused(vscode.l10n.t('{0} was not found in this workspace.', name))
    : { kind: 'word' };
}

function withPlace(
  file: Extract<Mentioned, { kind: 'file' }>,
  first: string | undefined,
  last: string | undefined,
  symbol: string | undefined,
): Mentioned {
  if (symbol !== undefined) return { ...file, symbol };
  return { ...file, lines: { first: Number(first), last: Number(last ?? first) } };
}

type Found = Mentioned | { readonly kind: 'missing' };

async function findPath(workspace: Workspace, given: string): Promise<Found> {
  try {
    const { path, inWorkspace } = await resolveTarget(workspace, given);
    if (!inWorkspace)
      return refused(
        vscode.l10n.t('{0} is outside this workspace, so Harness does not add it to the prompt.', given),
      );
    if (holdsSecrets(path))
      return refused(
        vscode.l10n.t('{0} may contain secrets, so Harness does not add it to the prompt.', given),
      );
    const stat = await workspace.stat(path);
    if (stat?.type === 'directory') return { kind: 'folder', path };
    return stat ? { kind: 'file', path } : { kind: 'missing' };
  } catch {
    // The spelling is odd, no workspace folder is open, or access is denied: there is nothing to add.
    return { kind: 'missing' };
  }
}

function looksLikePath(name: string): boolean {
  return /[/\\]/.test(name) || /\.\w+([:#]|$)/.test(name);
}

function refused(reason: string): Mentioned {
  return { kind: 'refused', reason };
}

/** The selection in the active editor; undefined if there is none. */
export function selectedText():
  | { readonly uri: vscode.Uri; readonly range: vscode.Range; readonly text: string }
  | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  return { uri: document.uri, range: selection, text: document.getText(selection) };
}
