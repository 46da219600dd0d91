import * as vscode from 'vscode';
import { WorkspaceError } from '../core/ports/workspace.ts';

/** Through VS Code, so that the user can undo it. Rejects with `WorkspaceError` where the file is still there. */
export async function deleteFile(path: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(vscode.Uri.file(path));
  if (await vscode.workspace.applyEdit(edit)) return;
  throw new WorkspaceError('failed', path, `VS Code did not delete ${path}`);
}
