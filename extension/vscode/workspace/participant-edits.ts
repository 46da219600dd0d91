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

/** Moves, makes and deletes files in VS Code, and knows what extensions have edited in others at that moment. */
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

  /** `edit` does `change`. What extensions edit is saved, except where the user had something unsaved. False where VS Code did not do it. */
  async apply(edit: vscode.WorkspaceEdit, change: Change): Promise<boolean> {
    const unsaved = placesAfter(change, dirtyDocuments());
    const witness = new DocumentWatcher();
    try {
      return await vscode.workspace.applyEdit(edit);
    } finally {
      witness.dispose();
      this.#tell(await editedFiles(witness), pathsOf(change));
      const edited = placesAfter(change, witness.edited);
      const isTheirs = ({ uri: { fsPath } }: vscode.TextDocument) =>
        edited.has(fsPath) && !unsaved.has(fsPath);
      await Promise.all(dirtyDocuments().filter(isTheirs).map(save));
    }
  }

  #tell(files: readonly EditedFile[], changed: readonly string[]): void {
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

/** Where it cannot be saved, its editor holds it. */
async function save(document: vscode.TextDocument): Promise<unknown> {
  return document.save().then(undefined, () => undefined);
}

function pathsOf(change: Change): readonly string[] {
  return change.kind === 'move' ? [change.source, change.destination] : [change.path];
}

/** An editor goes along with what is moved. */
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
