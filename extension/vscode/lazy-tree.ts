import * as vscode from 'vscode';

/** A tree of which VS Code asks before the host is loaded. `loaded` is it as soon as `load` has come to an end, once. */
export function createLazyTree<Node>(
  view: string,
  load: () => Promise<unknown>,
  loaded: Promise<vscode.TreeDataProvider<Node>>,
): vscode.TreeView<Node> {
  const changed = new vscode.EventEmitter<void>();
  void loaded.then((tree) => {
    tree.onDidChangeTreeData?.(() => changed.fire());
    changed.fire();
  });
  return vscode.window.createTreeView<Node>(view, {
    showCollapseAll: true,
    canSelectMany: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => load().then(async () => (await loaded).getChildren(node)),
      getTreeItem: async (node) => (await loaded).getTreeItem(node),
    },
  });
}
