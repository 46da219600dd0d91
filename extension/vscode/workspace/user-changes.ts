import * as vscode from 'vscode';
import { pathsTouched } from '../../core/checkpoints/file-state.ts';
import type { FileTree } from '../../core/ports/file-tree.ts';
import type { NodeWorkspaceScan } from '../../node/scan/node-workspace-scan.ts';

/**
 * Excludes files that the user saves, creates, deletes or renames in this window during a command from that
 * command's changes.
 */
export function excludeUserChanges(
  scan: Pick<NodeWorkspaceScan, 'absorb'>,
  files: FileTree,
): vscode.Disposable {
  const allOf = async (paths: readonly string[]) => {
    const touched = await pathsTouched(files, paths).catch(() => paths);
    return 'why' in touched ? paths : [...touched];
  };
  // The path of a URI with another scheme may also be the path of a file.
  const absorb = (uris: readonly vscode.Uri[]) =>
    scan.absorb(allOf(uris.filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => fsPath)));
  const { workspace } = vscode;
  return vscode.Disposable.from(
    workspace.onDidSaveTextDocument(({ uri }) => absorb([uri])),
    workspace.onDidSaveNotebookDocument(({ uri }) => absorb([uri])),
    workspace.onDidCreateFiles(({ files: made }) => absorb(made)),
    workspace.onDidDeleteFiles(({ files: gone }) => absorb(gone)),
    workspace.onDidRenameFiles(({ files: renamed }) =>
      absorb(renamed.flatMap(({ oldUri, newUri }) => [oldUri, newUri])),
    ),
  );
}
