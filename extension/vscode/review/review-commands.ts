// The commands on pending changes, for the tree, an editor, the palette and other extensions.
import * as vscode from 'vscode';
import type { SessionController } from '../../app/sessions/session-controller.ts';
import { type FileReview, type Hunk, idsOf } from '../../core/review/file-review.ts';
import { type EditorPlace, hunksAt, linesAt } from '../../core/review/locate-changes.ts';
import type { ReviewCommand } from '../base/command-ids.ts';
import { BASE_SCHEME, baseUri } from './base-documents.ts';
import type { TouchedFiles } from './changed-files.ts';
import { type ChangeNode, choicesOf } from './changes-tree.ts';
import type { ReviewChoice, ReviewModel } from './review-model.ts';

export interface ReviewParts {
  readonly model: ReviewModel;
  /** The selection in the tree. */
  selected(): readonly ChangeNode[];
}

type Scope = 'file' | 'hunk' | 'line';

/** Rejects with a message for the user if the command is impossible. */
export async function runReviewCommand(
  parts: ReviewParts,
  sessions: SessionController,
  command: ReviewCommand,
  args: readonly unknown[],
): Promise<void> {
  const { model } = parts;
  switch (command) {
    case 'harness.reviewChanges':
      model.follow(sessions);
      return showAll(model);
    case 'harness.openChange':
      return openChange(args[0]);
    case 'harness.nextChange':
      return step(model, 1);
    case 'harness.previousChange':
      return step(model, -1);
    case 'harness.acceptAll':
      return model.accept(await all(model));
    case 'harness.rejectAll':
      return model.reject(await all(model));
    case 'harness.acceptFile':
    case 'harness.acceptHunk':
    case 'harness.acceptLine':
      return model.accept(await chosen(parts, scopeOf(command), args));
    case 'harness.rejectFile':
    case 'harness.rejectHunk':
    case 'harness.rejectLine':
      return model.reject(await chosen(parts, scopeOf(command), args));
  }
}

function scopeOf(command: ReviewCommand): Scope {
  if (command.endsWith('File')) return 'file';
  return command.endsWith('Hunk') ? 'hunk' : 'line';
}

async function all(model: ReviewModel): Promise<ReviewChoice[]> {
  await model.settle();
  return required(model.pending.map(({ path }) => ({ path })));
}

/** What the caller names (tree nodes, a file, lines); else the selection in the tree, or the cursor. */
async function chosen(
  { model, selected }: ReviewParts,
  scope: Scope,
  args: readonly unknown[],
): Promise<ReviewChoice[]> {
  const [first, second] = args;
  if (isNode(first)) return choicesOf(Array.isArray(second) ? second.filter(isNode) : [first]);
  if (first === 'tree') return required(choicesOf(selected()));
  if (first instanceof vscode.Uri) return [{ path: await model.files.pathOf(first) }];
  if (isChoice(first)) return [first];
  const place = await placeInEditor(model.files);
  const review = place && (await model.file(place.path));
  return required(place && review?.isPending ? choiceAt(review, place, scope) : []);
}

function choiceAt(review: FileReview, place: EditorPlace, scope: Scope): ReviewChoice[] {
  const { path } = review;
  if (scope === 'file') return [{ path }];
  const cells =
    scope === 'line' ? linesAt(review, place) : hunksAt(review, place).flatMap((hunk) => hunk.cells);
  return cells.length > 0 ? [{ path, ids: idsOf(cells) }] : [];
}

function required(choices: ReviewChoice[]): ReviewChoice[] {
  if (choices.length > 0) return choices;
  throw new Error(vscode.l10n.t('There are no changes to review here.'));
}

async function showAll(model: ReviewModel): Promise<void> {
  await model.readWhole();
  await model.settle();
  const { pending } = model;
  if (pending.length === 0)
    return void vscode.window.showInformationMessage(vscode.l10n.t('No changes to review.'));
  const resources = pending.map(({ path, now }) => {
    const file = vscode.Uri.file(path);
    // A path without a file has nothing to show.
    return [file, baseUri(path), now.state.kind === 'file' ? file : undefined];
  });
  await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes by Harness'), resources);
}

/** Opens the diff of a file at the change; keyboard focus stays in place. */
async function openChange(node: unknown): Promise<void> {
  if (!isNode(node) || node.kind === 'folder') return;
  const { path, now } = node.review;
  const hunk = node.kind === 'file' ? node.review.hunks[0] : node.hunk;
  const options = { preserveFocus: true, preview: true, ...(hunk && { selection: rangeOf(hunk) }) };
  const title = vscode.l10n.t('{0} (accepted ↔ now)', vscode.workspace.asRelativePath(path));
  if (now.state.kind !== 'file') await vscode.window.showTextDocument(baseUri(path), options);
  else
    await vscode.commands.executeCommand('vscode.diff', baseUri(path), vscode.Uri.file(path), title, options);
}

/** Goes to the next hunk (`1`) or the previous one (`-1`), across files. Wraps around at the ends. */
async function step(model: ReviewModel, direction: 1 | -1): Promise<void> {
  await model.settle();
  const stops = model.pending.flatMap(({ path, now, hunks }) =>
    now.state.kind === 'file' ? hunks.map((hunk) => ({ path, hunk })) : [],
  );
  const here = await placeInEditor(model.files);
  const isBehind = ({ path, hunk }: (typeof stops)[number]) =>
    here !== undefined && (path === here.path ? hunk.nowLine > here.first : path > here.path);
  const isBefore = ({ path, hunk }: (typeof stops)[number]) =>
    here !== undefined && (path === here.path ? hunk.nowLine < here.first : path < here.path);
  const stop =
    direction > 0 ? (stops.find(isBehind) ?? stops[0]) : (stops.findLast(isBefore) ?? stops.at(-1));
  if (!stop) throw new Error(vscode.l10n.t('There are no changes to review here.'));
  await vscode.window.showTextDocument(vscode.Uri.file(stop.path), { selection: rangeOf(stop.hunk) });
}

function rangeOf({ nowLine }: Hunk): vscode.Range {
  return new vscode.Range(nowLine, 0, nowLine, 0);
}

function isNode(value: unknown): value is ChangeNode {
  return (
    typeof value === 'object' && value !== null && 'kind' in value && ('review' in value || 'files' in value)
  );
}

function isChoice(value: unknown): value is ReviewChoice {
  return typeof value === 'object' && value !== null && 'ids' in value && value.ids instanceof Set;
}

/** The selected lines of a file or of its accepted text; undefined if the active editor shows neither. */
export async function placeInEditor(
  files: Pick<TouchedFiles, 'pathOf'>,
  editor = vscode.window.activeTextEditor,
): Promise<(EditorPlace & { readonly path: string }) | undefined> {
  if (!editor) return undefined;
  const { document, selection } = editor;
  const { scheme } = document.uri;
  if (scheme !== 'file' && scheme !== BASE_SCHEME) return undefined;
  const { start, end } = selection;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  const path = await files.pathOf(document.uri);
  return { path, side: scheme === 'file' ? '+' : '-', first: start.line, last };
}
