import { basename } from 'node:path';
import * as vscode from 'vscode';
import { type FileReview, type Hunk, idsOf, type PendingCell } from '../../core/review/file-review.ts';
import { shownLine } from '../../core/review/text-content.ts';
import {
  countsOf,
  describeAuthors,
  folderOf,
  hunkLabel,
  longCounts,
  shortCounts,
  spokenFile,
  stateWord,
} from './describe-change.ts';
import type { ReviewChoice, ReviewModel } from './review-model.ts';

export type ChangeNode =
  | { readonly kind: 'folder'; readonly name: string; readonly files: readonly FileReview[] }
  | { readonly kind: 'file'; readonly review: FileReview }
  | { readonly kind: 'hunk'; readonly review: FileReview; readonly hunk: Hunk }
  | { readonly kind: 'line'; readonly review: FileReview; readonly hunk: Hunk; readonly cell: PendingCell };

/** The tree of pending changes: folders, files, hunks and lines. */
export class ChangesTree implements vscode.TreeDataProvider<ChangeNode> {
  readonly #model: ReviewModel;
  readonly onDidChangeTreeData: vscode.Event<void>;

  constructor(model: ReviewModel) {
    this.#model = model;
    this.onDidChangeTreeData = model.onDidChange;
  }

  async getChildren(node?: ChangeNode): Promise<ChangeNode[]> {
    switch (node?.kind) {
      case undefined:
        await this.#model.readWhole();
        await this.#model.settle();
        return foldersOf(this.#model.pending);
      case 'folder':
        return node.files.map((review) => ({ kind: 'file', review }));
      case 'file':
        return node.review.hunks.map((hunk) => ({ kind: 'hunk', review: node.review, hunk }));
      case 'hunk':
        return node.hunk.cells.map((cell) => ({ kind: 'line', review: node.review, hunk: node.hunk, cell }));
      case 'line':
        return [];
    }
  }

  getTreeItem(node: ChangeNode): vscode.TreeItem {
    const item = this.#itemOf(node);
    item.contextValue = `harness.${node.kind}`;
    item.id = idOf(node);
    if (node.kind !== 'folder') {
      const title = vscode.l10n.t('Open Change');
      item.command = { command: 'harness.openChange', title, arguments: [node] };
    }
    return item;
  }

  #itemOf(node: ChangeNode): vscode.TreeItem {
    switch (node.kind) {
      case 'folder':
        return folderItem(node.name, node.files);
      case 'file':
        return fileItem(node.review);
      case 'hunk':
        return this.#hunkItem(node.hunk);
      case 'line':
        return lineItem(node.cell);
    }
  }

  #hunkItem(hunk: Hunk): vscode.TreeItem {
    const item = new vscode.TreeItem(hunkLabel(hunk), vscode.TreeItemCollapsibleState.Collapsed);
    const calls = describeAuthors(hunk.authors, (seq) => this.#model.placeOf(seq));
    item.description = [shortCounts(hunk), calls].filter(Boolean).join(' · ');
    item.iconPath = new vscode.ThemeIcon(
      hunk.added === 0 ? 'diff-removed' : hunk.removed === 0 ? 'diff-added' : 'diff-modified',
    );
    item.accessibilityInformation = {
      label: [item.label, longCounts(hunk), calls].filter(Boolean).join(', '),
    };
    return item;
  }
}

/** The pending lines that the nodes stand for. */
export function choicesOf(nodes: readonly ChangeNode[]): ReviewChoice[] {
  return nodes.flatMap((node): ReviewChoice[] => {
    if (node.kind === 'folder') return node.files.map(({ path }) => ({ path }));
    if (node.kind === 'file') return [{ path: node.review.path }];
    const cells = node.kind === 'hunk' ? node.hunk.cells : [node.cell];
    return [{ path: node.review.path, ids: idsOf(cells) }];
  });
}

function foldersOf(reviews: readonly FileReview[]): ChangeNode[] {
  const folders = new Map<string, FileReview[]>();
  for (const review of reviews) {
    const name = folderOf(review.path);
    folders.set(name, [...(folders.get(name) ?? []), review]);
  }
  return [...folders].map(([name, files]) => ({ kind: 'folder', name, files }));
}

function idOf(node: ChangeNode): string {
  if (node.kind === 'folder') return node.name;
  const { path } = node.review;
  if (node.kind === 'file') return `file ${path}`;
  const cell = node.kind === 'hunk' ? node.hunk.cells[0] : node.cell;
  return `${node.kind} ${path} ${cell?.sign}${cell?.line.id}`;
}

function folderItem(name: string, files: readonly FileReview[]): vscode.TreeItem {
  const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Expanded);
  item.iconPath = vscode.ThemeIcon.Folder;
  item.description = shortCounts(countsOf({ hunks: files.flatMap(({ hunks }) => hunks) }));
  return item;
}

function fileItem(review: FileReview): vscode.TreeItem {
  const state = vscode.TreeItemCollapsibleState[review.hunks.length > 0 ? 'Collapsed' : 'None'];
  const item = new vscode.TreeItem(basename(review.path), state);
  item.resourceUri = vscode.Uri.file(review.path);
  item.iconPath = vscode.ThemeIcon.File;
  item.description = [shortCounts(countsOf(review)), stateWord(review)].filter(Boolean).join(' · ');
  item.tooltip = review.path;
  item.accessibilityInformation = { label: spokenFile(review) };
  return item;
}

function lineItem({ sign, line }: PendingCell): vscode.TreeItem {
  const text = shownLine(line.text);
  const item = new vscode.TreeItem(`${sign === '+' ? '+' : '−'} ${text}`);
  const label = sign === '+' ? vscode.l10n.t('added: {0}', text) : vscode.l10n.t('removed: {0}', text);
  item.accessibilityInformation = { label };
  item.tooltip = text;
  return item;
}
