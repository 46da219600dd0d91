import * as vscode from 'vscode';
import { isInside } from '../../core/base/paths.ts';
import type { EditedFile, EditorEdits } from '../../core/ports/editor-edits.ts';
import type { Change } from '../../core/ports/workspace.ts';
import { realPath } from '../../node/fs/real-path.ts';
import { DocumentWatcher } from './document-watcher.ts';

interface Watch {
  readonly paths: ReadonlySet<string>;
  readonly edited: Map<string, EditedFile>;
}

/** Moves, creates and deletes files through VS Code, and records the files that extensions edit meanwhile. */
export class ParticipantEdits implements EditorEdits {
  readonly #watches = new Set<Watch>();

  watch(paths: ReadonlySet<string>): () => Promise<readonly EditedFile[]> {
    const watch: Watch = { paths, edited: new Map() };
    this.#watches.add(watch);
    return async () => {
      this.#watches.delete(watch);
      return [...watch.edited.values()];
    };
  }

  /**
   * `edit` performs `change`. Saves the files that extensions edited, except those with unsaved changes of
   * the user. Resolves with false if VS Code did not apply the edit.
   */
  async apply(edit: vscode.WorkspaceEdit, change: Change): Promise<boolean> {
    const unsaved = placesAfter(change, dirtyDocuments());
    const witness = new DocumentWatcher();
    try {
      return await vscode.workspace.applyEdit(edit);
    } finally {
      witness.dispose();
      this.#notify(await editedFiles(witness), pathsOf(change));
      const edited = placesAfter(change, witness.edited);
      const isTheirs = ({ uri: { fsPath } }: vscode.TextDocument) =>
        edited.has(fsPath) && !unsaved.has(fsPath);
      await Promise.all(dirtyDocuments().filter(isTheirs).map(save));
    }
  }

  #notify(files: readonly EditedFile[], changed: readonly string[]): void {
    for (const { paths, edited } of this.#watches) {
      if (!changed.some((path) => paths.has(path))) continue;
      for (const file of files) if (!edited.has(file.path)) edited.set(file.path, file);
    }
  }
}

function dirtyDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file');
}

async function editedFiles(witness: DocumentWatcher): Promise<readonly EditedFile[]> {
  return Promise.all(
    witness.edited.map(async ({ uri, before }) => ({
      path: await realPath(uri.fsPath).catch(() => uri.fsPath),
      before: await before(),
    })),
  );
}

/** If the save fails, the change stays in the editor. */
async function save(document: vscode.TextDocument): Promise<unknown> {
  return document.save().then(undefined, () => undefined);
}

function pathsOf(change: Change): readonly string[] {
  return change.kind === 'move' ? [change.source, change.destination] : [change.path];
}

/** The paths of the documents after `change`: an editor follows a moved file. */
function placesAfter(
  change: Change,
  documents: readonly { readonly uri: vscode.Uri }[],
): ReadonlySet<string> {
  const placeOf = (path: string) =>
    change.kind === 'move' && isInside(change.source, path)
      ? change.destination + path.slice(change.source.length)
      : path;
  return new Set(documents.map(({ uri }) => placeOf(uri.fsPath)));
}
